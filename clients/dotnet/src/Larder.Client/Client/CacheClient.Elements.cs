using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on one field or element of a collection, and on several by the names that users know.</content>
public sealed partial class CacheClient
{
    /// <summary>Stores a field of a dictionary, which is made where it is missing.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="value">Its value.</param>
    /// <param name="ttl">The dictionary's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionarySetResponse> DictionarySetFieldAsync(
        string cache,
        CacheBytes name,
        CacheBytes field,
        CacheBytes value,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        DictionaryItem item = new(field, value);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? CheckCache(cache) ?? Arguments.CheckKey(name) ?? Arguments.CheckItem(item);
        return error is null
            ? _runner.Run<DictionarySetFieldOperation, DictionarySetResponse>(
                cache, new DictionarySetFieldOperation(name, item, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionarySetFieldOperation.Fail(error));
    }

    /// <summary>Stores fields of a dictionary: <see cref="DictionarySetAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="items">The fields with their values, stored in this order; may be none.</param>
    /// <param name="ttl">The dictionary's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionarySetResponse> DictionarySetFieldsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<DictionaryItem> items,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => DictionarySetAsync(cache, name, items, ttl, cancellationToken);

    /// <summary>Gets a field of a dictionary.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryGetFieldResponse> DictionaryGetFieldAsync(
        string cache,
        CacheBytes name,
        CacheBytes field,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKey(name) ?? Arguments.CheckField(field);
        return error is null
            ? _runner.Run<DictionaryGetFieldOperation, DictionaryGetFieldResponse>(
                cache, new DictionaryGetFieldOperation(name, field), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryGetFieldOperation.Fail(error));
    }

    /// <summary>Gets fields of a dictionary: <see cref="DictionaryGetAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryGetResponse> DictionaryGetFieldsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) => DictionaryGetAsync(cache, name, fields, cancellationToken);

    /// <summary>Removes a field of a dictionary; it need not exist.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryRemoveFieldAsync(
        string cache,
        CacheBytes name,
        CacheBytes field,
        CancellationToken cancellationToken = default) => DictionaryRemoveAsync(cache, name, [field], cancellationToken);

    /// <summary>Removes fields of a dictionary: <see cref="DictionaryRemoveAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryRemoveFieldsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) => DictionaryRemoveAsync(cache, name, fields, cancellationToken);

    /// <summary>Adds an element to a set, which is made where it is missing.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="ttl">The set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetUnionResponse> SetAddElementAsync(
        string cache,
        CacheBytes name,
        CacheBytes element,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => SetUnionAsync(cache, name, [element], ttl, cancellationToken);

    /// <summary>Adds elements to a set: <see cref="SetUnionAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="ttl">The set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetUnionResponse> SetAddElementsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => SetUnionAsync(cache, name, elements, ttl, cancellationToken);

    /// <summary>Removes an element from a set; it need not exist.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetDifferenceResponse> SetRemoveElementAsync(
        string cache,
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) => SetDifferenceAsync(cache, name, [element], cancellationToken);

    /// <summary>Removes elements from a set: <see cref="SetDifferenceAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetDifferenceResponse> SetRemoveElementsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) => SetDifferenceAsync(cache, name, elements, cancellationToken);

    /// <summary>Asks whether an element is in a set.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public async ValueTask<SetContainsElementResponse> SetContainsElementAsync(
        string cache,
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) =>
        SetContainsElementResponse.Of(await SetContainsAsync(cache, name, [element], cancellationToken).ConfigureAwait(false));

    /// <summary>Asks which of some elements are in a set: <see cref="SetContainsAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetContainsResponse> SetContainsElementsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) => SetContainsAsync(cache, name, elements, cancellationToken);

    /// <summary>Adds an element to a sorted set, which is made where it is missing, or gives one that is there another score.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="score">Its score: a number, or infinite.</param>
    /// <param name="ttl">The sorted set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetPutResponse> SortedSetPutElementAsync(
        string cache,
        CacheBytes name,
        CacheBytes element,
        double score,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        SortedSetElement scored = new(element, score);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? CheckCache(cache) ?? Arguments.CheckKey(name) ?? Arguments.CheckElement(scored);
        return error is null
            ? _runner.Run<SortedSetPutElementOperation, SortedSetPutResponse>(
                cache, new SortedSetPutElementOperation(name, scored, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetPutElementOperation.Fail(error));
    }

    /// <summary>Adds elements to a sorted set: <see cref="SortedSetPutAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements with their scores, in this order; may be none.</param>
    /// <param name="ttl">The sorted set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetPutResponse> SortedSetPutElementsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<SortedSetElement> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => SortedSetPutAsync(cache, name, elements, ttl, cancellationToken);

    /// <summary>Gets the score of an element.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public async ValueTask<SortedSetGetElementScoreResponse> SortedSetGetElementScoreAsync(
        string cache,
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) =>
        SortedSetGetElementScoreResponse.Of(await SortedSetGetScoreAsync(cache, name, [element], cancellationToken).ConfigureAwait(false));

    /// <summary>Removes an element of a sorted set; it need not exist.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetRemoveResponse> SortedSetRemoveElementAsync(
        string cache,
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) => SortedSetRemoveAsync(cache, name, [element], cancellationToken);

    /// <summary>Removes elements of a sorted set: <see cref="SortedSetRemoveAsync"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetRemoveResponse> SortedSetRemoveElementsAsync(
        string cache,
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) => SortedSetRemoveAsync(cache, name, elements, cancellationToken);
}
