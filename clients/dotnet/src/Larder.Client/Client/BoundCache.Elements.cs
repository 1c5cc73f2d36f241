namespace Larder.Client;

/// <content>Calls on one field or element of a collection, and on several by the names that users know.</content>
public sealed partial class BoundCache
{
    /// <summary>Stores a field of a dictionary, which is made where it is missing.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="value">Its value.</param>
    /// <param name="ttl">The dictionary's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionarySetResponse> DictionarySetFieldAsync(
        CacheBytes name,
        CacheBytes field,
        CacheBytes value,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.DictionarySetFieldAsync(Name, name, field, value, ttl, cancellationToken);

    /// <summary>Stores fields of a dictionary: <see cref="DictionarySetAsync"/>.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="items">The fields with their values, stored in this order; may be none.</param>
    /// <param name="ttl">The dictionary's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionarySetResponse> DictionarySetFieldsAsync(
        CacheBytes name,
        IReadOnlyList<DictionaryItem> items,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.DictionarySetFieldsAsync(Name, name, items, ttl, cancellationToken);

    /// <summary>Gets a field of a dictionary.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryGetFieldResponse> DictionaryGetFieldAsync(CacheBytes name, CacheBytes field, CancellationToken cancellationToken = default) =>
        _client.DictionaryGetFieldAsync(Name, name, field, cancellationToken);

    /// <summary>Gets fields of a dictionary: <see cref="DictionaryGetAsync"/>.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryGetResponse> DictionaryGetFieldsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) =>
        _client.DictionaryGetFieldsAsync(Name, name, fields, cancellationToken);

    /// <summary>Removes a field of a dictionary; it need not exist.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryRemoveFieldAsync(CacheBytes name, CacheBytes field, CancellationToken cancellationToken = default) =>
        _client.DictionaryRemoveFieldAsync(Name, name, field, cancellationToken);

    /// <summary>Removes fields of a dictionary: <see cref="DictionaryRemoveAsync"/>.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryRemoveFieldsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) =>
        _client.DictionaryRemoveFieldsAsync(Name, name, fields, cancellationToken);

    /// <summary>Adds an element to a set, which is made where it is missing.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="ttl">The set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetUnionResponse> SetAddElementAsync(
        CacheBytes name,
        CacheBytes element,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetAddElementAsync(Name, name, element, ttl, cancellationToken);

    /// <summary>Adds elements to a set: <see cref="SetUnionAsync"/>.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="ttl">The set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetUnionResponse> SetAddElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetAddElementsAsync(Name, name, elements, ttl, cancellationToken);

    /// <summary>Removes an element from a set; it need not exist.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetDifferenceResponse> SetRemoveElementAsync(CacheBytes name, CacheBytes element, CancellationToken cancellationToken = default) =>
        _client.SetRemoveElementAsync(Name, name, element, cancellationToken);

    /// <summary>Removes elements from a set: <see cref="SetDifferenceAsync"/>.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetDifferenceResponse> SetRemoveElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SetRemoveElementsAsync(Name, name, elements, cancellationToken);

    /// <summary>Asks whether an element is in a set.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetContainsElementResponse> SetContainsElementAsync(CacheBytes name, CacheBytes element, CancellationToken cancellationToken = default) =>
        _client.SetContainsElementAsync(Name, name, element, cancellationToken);

    /// <summary>Asks which of some elements are in a set: <see cref="SetContainsAsync"/>.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetContainsResponse> SetContainsElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SetContainsElementsAsync(Name, name, elements, cancellationToken);

    /// <summary>Adds an element to a sorted set, which is made where it is missing, or gives one that is there another score.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="score">Its score: a number, or infinite.</param>
    /// <param name="ttl">The sorted set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetPutResponse> SortedSetPutElementAsync(
        CacheBytes name,
        CacheBytes element,
        double score,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetPutElementAsync(Name, name, element, score, ttl, cancellationToken);

    /// <summary>Adds elements to a sorted set: <see cref="SortedSetPutAsync"/>.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements with their scores, in this order; may be none.</param>
    /// <param name="ttl">The sorted set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetPutResponse> SortedSetPutElementsAsync(
        CacheBytes name,
        IReadOnlyList<SortedSetElement> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetPutElementsAsync(Name, name, elements, ttl, cancellationToken);

    /// <summary>Gets the score of an element.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetGetElementScoreResponse> SortedSetGetElementScoreAsync(
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetGetElementScoreAsync(Name, name, element, cancellationToken);

    /// <summary>Removes an element of a sorted set; it need not exist.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetRemoveResponse> SortedSetRemoveElementAsync(CacheBytes name, CacheBytes element, CancellationToken cancellationToken = default) =>
        _client.SortedSetRemoveElementAsync(Name, name, element, cancellationToken);

    /// <summary>Removes elements of a sorted set: <see cref="SortedSetRemoveAsync"/>.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetRemoveResponse> SortedSetRemoveElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetRemoveElementsAsync(Name, name, elements, cancellationToken);
}
