// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <content>Calls on dictionaries.</content>
public sealed partial class BoundCache
{
    /// <summary>Gets fields of a dictionary.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryGetResponse> DictionaryGetAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) =>
        _client.DictionaryGetAsync(Name, name, fields, cancellationToken);

    /// <summary>Gets all fields of a dictionary, in no order.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryFetchResponse> DictionaryFetchAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.DictionaryFetchAsync(Name, name, cancellationToken);

    /// <summary>Stores fields of a dictionary, which is made where it is missing. The last of equal fields wins.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="items">The fields with their values, stored in this order; may be none.</param>
    /// <param name="ttl">The dictionary's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionarySetResponse> DictionarySetAsync(
        CacheBytes name,
        IReadOnlyList<DictionaryItem> items,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.DictionarySetAsync(Name, name, items, ttl, cancellationToken);

    /// <summary>Adds to an integer field, which is made at 0 where it is missing. Never sent twice where it may have run.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="amount">What is added; may be negative or 0.</param>
    /// <param name="ttl">The dictionary's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryIncrementResponse> DictionaryIncrementAsync(
        CacheBytes name,
        CacheBytes field,
        long amount = 1,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.DictionaryIncrementAsync(Name, name, field, amount, ttl, cancellationToken);

    /// <summary>Removes all fields of a dictionary, and so the dictionary; it need not exist.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryDeleteAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.DictionaryDeleteAsync(Name, name, cancellationToken);

    /// <summary>Removes fields of a dictionary; they need not exist.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryRemoveAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default) =>
        _client.DictionaryRemoveAsync(Name, name, fields, cancellationToken);

    /// <summary>Asks how many fields a dictionary has.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DictionaryLengthResponse> DictionaryLengthAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.DictionaryLengthAsync(Name, name, cancellationToken);
}
