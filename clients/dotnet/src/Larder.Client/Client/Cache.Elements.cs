using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on one field or element of a collection, and aliases of calls on several fields or elements.</content>
public sealed partial class Cache
{
    /// <summary>Stores a field of a dictionary. Creates the dictionary if it does not exist.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">
    /// The dictionary's time to live, and whether the call also sets it on an existing dictionary. If null, the call sets the client's default time to live,
    /// also on an existing dictionary.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DictionarySetFieldAsync(
        CacheBytes name,
        CacheBytes field,
        CacheBytes value,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        DictionaryItem item = new(field, value);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckItem(item);
        return error is null
            ? _runner.Run<DictionarySetFieldOperation, CacheResult>(
                Name, new DictionarySetFieldOperation(name, item, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionarySetFieldOperation.Fail(error));
    }

    /// <summary>Stores fields of a dictionary. This is an alias of <see cref="DictionarySetAsync"/>.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="items">The fields with their values. They are stored in this order. The list may be empty.</param>
    /// <param name="ttl">
    /// The dictionary's time to live, and whether the call also sets it on an existing dictionary. If null, the call sets the client's default time to live,
    /// also on an existing dictionary.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DictionarySetFieldsAsync(
        CacheBytes name,
        IReadOnlyList<DictionaryItem> items,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => DictionarySetAsync(name, items, ttl, cancellationToken);

    /// <summary>Gets a field of a dictionary.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<LookupResult<CacheValue>> DictionaryGetFieldAsync(
        CacheBytes name,
        CacheBytes field,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckField(field);
        return error is null
            ? _runner.Run<DictionaryGetFieldOperation, LookupResult<CacheValue>>(
                Name, new DictionaryGetFieldOperation(name, field), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryGetFieldOperation.Fail(error));
    }

    /// <summary>Gets fields of a dictionary. This is an alias of <see cref="DictionaryGetAsync"/>.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields. The results are in the order of the fields.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<LookupResult<IReadOnlyList<CacheValue?>>> DictionaryGetFieldsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) => DictionaryGetAsync(name, fields, cancellationToken);

    /// <summary>Removes a field from a dictionary. The field need not exist.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DictionaryRemoveFieldAsync(
        CacheBytes name,
        CacheBytes field,
        CancellationToken cancellationToken = default) => DictionaryRemoveAsync(name, [field], cancellationToken);

    /// <summary>Removes fields from a dictionary. This is an alias of <see cref="DictionaryRemoveAsync"/>.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields. A field that does not exist is ignored.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DictionaryRemoveFieldsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) => DictionaryRemoveAsync(name, fields, cancellationToken);

    /// <summary>Adds an element to a set. Creates the set if it does not exist.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="ttl">
    /// The set's time to live, and whether the call also sets it on an existing set. If null, the call sets the client's default time to live, also on an
    /// existing set.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SetAddElementAsync(
        CacheBytes name,
        CacheBytes element,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => SetUnionAsync(name, [element], ttl, cancellationToken);

    /// <summary>Adds elements to a set. This is an alias of <see cref="SetUnionAsync"/>.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements. The list may be empty.</param>
    /// <param name="ttl">
    /// The set's time to live, and whether the call also sets it on an existing set. If null, the call sets the client's default time to live, also on an
    /// existing set.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SetAddElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => SetUnionAsync(name, elements, ttl, cancellationToken);

    /// <summary>Removes an element from a set. The element need not exist.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<bool>> SetRemoveElementAsync(
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) => SetDifferenceAsync(name, [element], cancellationToken);

    /// <summary>Removes elements from a set. This is an alias of <see cref="SetDifferenceAsync"/>.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements. An element that does not exist is ignored.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<bool>> SetRemoveElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) => SetDifferenceAsync(name, elements, cancellationToken);

    /// <summary>Returns whether an element is in a set.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<LookupResult<bool>> SetContainsElementAsync(
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) =>
        One(await SetContainsAsync(name, [element], cancellationToken).ConfigureAwait(false), BooleanResults.Hit);

    /// <summary>Returns which elements are in a set. This is an alias of <see cref="SetContainsAsync"/>.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements. The results are in the order of the elements.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<LookupResult<IReadOnlyList<bool>>> SetContainsElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) => SetContainsAsync(name, elements, cancellationToken);

    /// <summary>Adds an element to a sorted set. Creates the sorted set if it does not exist. If the element exists, it gets the new score.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="score">The score: a number, finite or infinite.</param>
    /// <param name="ttl">
    /// The sorted set's time to live, and whether the call also sets it on an existing sorted set. If null, the call sets the client's default time to live,
    /// also on an existing sorted set.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SortedSetPutElementAsync(
        CacheBytes name,
        CacheBytes element,
        double score,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        SortedSetElement scored = new(element, score);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElement(scored);
        return error is null
            ? _runner.Run<SortedSetPutElementOperation, CacheResult>(
                Name, new SortedSetPutElementOperation(name, scored, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetPutElementOperation.Fail(error));
    }

    /// <summary>Adds elements to a sorted set. This is an alias of <see cref="SortedSetPutAsync"/>.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements with their scores. They are stored in this order. The list may be empty.</param>
    /// <param name="ttl">
    /// The sorted set's time to live, and whether the call also sets it on an existing sorted set. If null, the call sets the client's default time to live,
    /// also on an existing sorted set.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SortedSetPutElementsAsync(
        CacheBytes name,
        IReadOnlyList<SortedSetElement> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) => SortedSetPutAsync(name, elements, ttl, cancellationToken);

    /// <summary>Gets the score of an element.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<LookupResult<double>> SortedSetGetElementScoreAsync(
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) =>
        One(
            await SortedSetGetScoreAsync(name, [element], cancellationToken).ConfigureAwait(false),
            static score => score is { } found ? LookupResult<double>.Hit(found) : LookupResult<double>.Miss);

    /// <summary>Removes an element from a sorted set. The element need not exist.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SortedSetRemoveElementAsync(
        CacheBytes name,
        CacheBytes element,
        CancellationToken cancellationToken = default) => SortedSetRemoveAsync(name, [element], cancellationToken);

    /// <summary>Removes elements from a sorted set. This is an alias of <see cref="SortedSetRemoveAsync"/>.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements. An element that does not exist is ignored.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SortedSetRemoveElementsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) => SortedSetRemoveAsync(name, elements, cancellationToken);

    private static LookupResult<TResult> One<T, TResult>(LookupResult<IReadOnlyList<T>> result, Func<T, LookupResult<TResult>> read) => result switch
    {
        { IsError: true } => LookupResult<TResult>.Failed(result.Error),
        { IsMiss: true } => LookupResult<TResult>.Miss,
        { Value: [var part] } => read(part),
        _ => LookupResult<TResult>.Failed(new CacheError(CacheErrorCode.Internal, "The response must have exactly one part.")),
    };
}
