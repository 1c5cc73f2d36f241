// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <content>Calls on sets.</content>
public sealed partial class BoundCache
{
    /// <summary>Gets all elements of a set, in no order.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetFetchResponse> SetFetchAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.SetFetchAsync(Name, name, cancellationToken);

    /// <summary>Gets some elements of a set, each once; which, chance decides.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="limit">How many elements at most; 0 asks whether there is such a set.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetSampleResponse> SetSampleAsync(CacheBytes name, long limit, CancellationToken cancellationToken = default) =>
        _client.SetSampleAsync(Name, name, limit, cancellationToken);

    /// <summary>Adds elements to a set, which is made where it is missing.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="ttl">The set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetUnionResponse> SetUnionAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetUnionAsync(Name, name, elements, ttl, cancellationToken);

    /// <summary>Removes elements from a set; they need not exist.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetDifferenceResponse> SetDifferenceAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SetDifferenceAsync(Name, name, elements, cancellationToken);

    /// <summary>Makes a set those of some elements that it does not hold. Never sent twice where it may have run.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetDifferenceResponse> SetDifferenceFromAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SetDifferenceFromAsync(Name, name, elements, cancellationToken);

    /// <summary>Asks which of some elements are in a set.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetContainsResponse> SetContainsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SetContainsAsync(Name, name, elements, cancellationToken);

    /// <summary>Asks how many elements a set has.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetLengthResponse> SetLengthAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.SetLengthAsync(Name, name, cancellationToken);

    /// <summary>Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have run.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="count">How many elements at most: 1 or more.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetPopResponse> SetPopAsync(CacheBytes name, int count = 1, CancellationToken cancellationToken = default) =>
        _client.SetPopAsync(Name, name, count, cancellationToken);
}
