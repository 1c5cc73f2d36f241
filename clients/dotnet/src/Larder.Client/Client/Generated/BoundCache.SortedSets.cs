// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <content>Calls on sorted sets.</content>
public sealed partial class BoundCache
{
    /// <summary>Adds elements to a sorted set, which is made where it is missing, or gives those that are there other scores. The last of equal elements
    /// wins.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements with their scores, in this order; may be none.</param>
    /// <param name="ttl">The sorted set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetPutResponse> SortedSetPutAsync(
        CacheBytes name,
        IReadOnlyList<SortedSetElement> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetPutAsync(Name, name, elements, ttl, cancellationToken);

    /// <summary>Gets the elements of a sorted set from one index to another, with their scores, in the asked order.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="order">The order in which elements are counted and answered.</param>
    /// <param name="start">The first index; a negative one counts from the end; null: from the beginning.</param>
    /// <param name="end">The index behind the last; a negative one counts from the end; null: to the end.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetFetchResponse> SortedSetFetchByRankAsync(
        CacheBytes name,
        SortedSetOrder order = SortedSetOrder.Ascending,
        int? start = null,
        int? end = null,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetFetchByRankAsync(Name, name, order, start, end, cancellationToken);

    /// <summary>Gets the elements of a sorted set whose score is in a range, with their scores, in the asked order.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="order">The order in which elements are counted and answered.</param>
    /// <param name="min">From this score, which is in the range or not; null: from the lowest.</param>
    /// <param name="max">To this score, which is in the range or not; null: to the highest.</param>
    /// <param name="offset">How many elements are passed over first, in the asked order.</param>
    /// <param name="count">How many elements at most; below 0: all.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetFetchResponse> SortedSetFetchByScoreAsync(
        CacheBytes name,
        SortedSetOrder order = SortedSetOrder.Ascending,
        ScoreBound? min = null,
        ScoreBound? max = null,
        int offset = 0,
        int count = -1,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetFetchByScoreAsync(Name, name, order, min, max, offset, count, cancellationToken);

    /// <summary>Gets the scores of elements.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetGetScoreResponse> SortedSetGetScoreAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetGetScoreAsync(Name, name, elements, cancellationToken);

    /// <summary>Asks how many elements stand before one.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="order">The order in which elements are counted.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetGetRankResponse> SortedSetGetRankAsync(
        CacheBytes name,
        CacheBytes element,
        SortedSetOrder order = SortedSetOrder.Ascending,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetGetRankAsync(Name, name, element, order, cancellationToken);

    /// <summary>Adds to an element's score; one that is not there gets the amount. Never sent twice where it may have run.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="amount">What is added: a number, or infinite.</param>
    /// <param name="ttl">The sorted set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetIncrementResponse> SortedSetIncrementAsync(
        CacheBytes name,
        CacheBytes element,
        double amount = 1,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetIncrementAsync(Name, name, element, amount, ttl, cancellationToken);

    /// <summary>Removes elements of a sorted set; they need not exist.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="elements">The elements; they need not exist.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetRemoveResponse> SortedSetRemoveAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetRemoveAsync(Name, name, elements, cancellationToken);

    /// <summary>Asks how many elements a sorted set has.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetLengthResponse> SortedSetLengthAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.SortedSetLengthAsync(Name, name, cancellationToken);

    /// <summary>Asks how many elements of a sorted set have a score in a range.</summary>
    /// <param name="name">The sorted set's key: at least one byte.</param>
    /// <param name="min">From this score, which is in the range or not; null: from the lowest.</param>
    /// <param name="max">To this score, which is in the range or not; null: to the highest.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetLengthByScoreResponse> SortedSetLengthByScoreAsync(
        CacheBytes name,
        ScoreBound? min = null,
        ScoreBound? max = null,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetLengthByScoreAsync(Name, name, min, max, cancellationToken);

    /// <summary>Puts the union of sorted sets in the place of one, which gets a time to live of its own. Never sent twice where it may have run.</summary>
    /// <param name="name">The sorted set's key: at least one byte. The union takes its place; it may be a source too.</param>
    /// <param name="sources">The sorted sets that are united, each with its weight: at least one.</param>
    /// <param name="aggregate">What is done with the weighted scores of one element.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SortedSetUnionStoreResponse> SortedSetUnionStoreAsync(
        CacheBytes name,
        IReadOnlyList<SortedSetSource> sources,
        SortedSetAggregate aggregate = SortedSetAggregate.Sum,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SortedSetUnionStoreAsync(Name, name, sources, aggregate, ttl, cancellationToken);
}
