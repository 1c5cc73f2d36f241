// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on sorted sets.</content>
public sealed partial class Cache
{
    /// <summary>Adds elements to a sorted set, which is created if it does not exist, and replaces existing scores. If an element occurs twice, its last score
    /// wins.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="elements">The elements with their scores, in this order. There may be none.</param>
    /// <param name="ttl">The time to live of the sorted set, and whether an existing sorted set gets it too. If null, the client's default is used, and an
    /// existing sorted set gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SortedSetPutAsync(
        CacheBytes name,
        IReadOnlyList<SortedSetElement> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        SortedSetElement[] all = Arguments.Read(elements);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SortedSetPutOperation, CacheResult>(Name, new SortedSetPutOperation(name, all, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetPutOperation.Fail(error));
    }

    /// <summary>Gets the elements of a sorted set from one index to another, with scores, in the requested order.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="order">The order in which elements are counted and returned.</param>
    /// <param name="start">The index of the first element; a negative index counts from the end; null: from the first element.</param>
    /// <param name="end">The index after the last element; a negative index counts from the end; null: to the last element.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the sorted set exists. Value: the elements with their scores, in the requested order. Miss: the sorted set does not exist, or has
    /// expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<ScoredElement>>> SortedSetFetchByRankAsync(
        CacheBytes name,
        SortedSetOrder order = SortedSetOrder.Ascending,
        int? start = null,
        int? end = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<SortedSetFetchByRankOperation, LookupResult<IReadOnlyList<ScoredElement>>>(
                Name, new SortedSetFetchByRankOperation(name, order, start, end), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetFetchByRankOperation.Fail(error));
    }

    /// <summary>Gets the elements of a sorted set whose score is in a range, with scores, in the requested order.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="order">The order in which elements are counted and returned.</param>
    /// <param name="min">The lowest score, inclusive or exclusive. If null, there is no lower bound.</param>
    /// <param name="max">The highest score, inclusive or exclusive. If null, there is no upper bound.</param>
    /// <param name="offset">The number of elements to skip first, in the requested order.</param>
    /// <param name="count">The maximum number of elements; unlimited if negative.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the sorted set exists. Value: the elements with their scores, in the requested order. Miss: the sorted set does not exist, or has
    /// expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<ScoredElement>>> SortedSetFetchByScoreAsync(
        CacheBytes name,
        SortedSetOrder order = SortedSetOrder.Ascending,
        ScoreBound? min = null,
        ScoreBound? max = null,
        int offset = 0,
        int count = -1,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName
            ?? Arguments.CheckKey(name)
            ?? Arguments.CheckBound(min, "min")
            ?? Arguments.CheckBound(max, "max")
            ?? Arguments.CheckCount(offset, "offset");
        return error is null
            ? _runner.Run<SortedSetFetchByScoreOperation, LookupResult<IReadOnlyList<ScoredElement>>>(
                Name, new SortedSetFetchByScoreOperation(name, order, min, max, offset, count), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetFetchByScoreOperation.Fail(error));
    }

    /// <summary>Gets the scores of elements.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="elements">The elements, in the order of the results.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the sorted set exists. Value: one entry for each requested element, in the same order; null for each missing one. Miss: the sorted set
    /// does not exist, or has expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<double?>>> SortedSetGetScoreAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SortedSetGetScoreOperation, LookupResult<IReadOnlyList<double?>>>(
                Name, new SortedSetGetScoreOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetGetScoreOperation.Fail(error));
    }

    /// <summary>Gets the rank of an element: the number of elements before it in the requested order.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="order">The order in which elements are counted.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the sorted set exists. Value: the number of elements before this element in the requested order. Miss: the sorted set does not exist, or
    /// has expired.</returns>
    public ValueTask<LookupResult<long>> SortedSetGetRankAsync(
        CacheBytes name,
        CacheBytes element,
        SortedSetOrder order = SortedSetOrder.Ascending,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckValue(element);
        return error is null
            ? _runner.Run<SortedSetGetRankOperation, LookupResult<long>>(Name, new SortedSetGetRankOperation(name, element, order), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetGetRankOperation.Fail(error));
    }

    /// <summary>Adds an amount to the score of an element. A missing element is added with the amount as its score. The client does not retry this call if it
    /// may have run.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="amount">The amount to add: finite or infinite, but not NaN.</param>
    /// <param name="ttl">The time to live of the sorted set, and whether an existing sorted set gets it too. If null, the client's default is used, and an
    /// existing sorted set gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the score after the increment.</returns>
    public ValueTask<CacheResult<double>> SortedSetIncrementAsync(
        CacheBytes name,
        CacheBytes element,
        double amount = 1,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl)
            ?? _invalidName
            ?? Arguments.CheckKey(name)
            ?? Arguments.CheckValue(element)
            ?? Arguments.CheckNumber(amount, "amount");
        return error is null
            ? _runner.Run<SortedSetIncrementOperation, CacheResult<double>>(
                Name, new SortedSetIncrementOperation(name, element, amount, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetIncrementOperation.Fail(error));
    }

    /// <summary>Removes elements of a sorted set. Succeeds even if they do not exist.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="elements">The elements, which need not exist.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SortedSetRemoveAsync(CacheBytes name, IReadOnlyList<CacheBytes> elements, CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SortedSetRemoveOperation, CacheResult>(Name, new SortedSetRemoveOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetRemoveOperation.Fail(error));
    }

    /// <summary>Gets the number of elements of a sorted set.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the sorted set exists. Value: the number of elements. Miss: the sorted set does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> SortedSetLengthAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<SortedSetLengthOperation, LookupResult<int>>(Name, new SortedSetLengthOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetLengthOperation.Fail(error));
    }

    /// <summary>Gets the number of elements of a sorted set whose score is in a range.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte.</param>
    /// <param name="min">The lowest score, inclusive or exclusive. If null, there is no lower bound.</param>
    /// <param name="max">The highest score, inclusive or exclusive. If null, there is no upper bound.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the sorted set exists. Value: the number of elements. Miss: the sorted set does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> SortedSetLengthByScoreAsync(
        CacheBytes name,
        ScoreBound? min = null,
        ScoreBound? max = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckBound(min, "min") ?? Arguments.CheckBound(max, "max");
        return error is null
            ? _runner.Run<SortedSetLengthByScoreOperation, LookupResult<int>>(
                Name, new SortedSetLengthByScoreOperation(name, min, max), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetLengthByScoreOperation.Fail(error));
    }

    /// <summary>Stores the union of sorted sets with its own TTL, and replaces an existing sorted set. The client does not retry this call if it may have
    /// run.</summary>
    /// <param name="name">The sorted set's key. It must be at least 1 byte. The sorted set to store the union in, which may also be a source.</param>
    /// <param name="sources">The sorted sets to unite, each with its weight. At least one.</param>
    /// <param name="aggregate">How the weighted scores of one element in several sources are combined.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the number of elements in the union; if it is 0, the sorted set no longer exists.</returns>
    public ValueTask<CacheResult<int>> SortedSetUnionStoreAsync(
        CacheBytes name,
        IReadOnlyList<SortedSetSource> sources,
        SortedSetAggregate aggregate = SortedSetAggregate.Sum,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        SortedSetSource[] all = Arguments.Read(sources);
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckSources(all);
        return error is null
            ? _runner.Run<SortedSetUnionStoreOperation, CacheResult<int>>(
                Name, new SortedSetUnionStoreOperation(name, all, aggregate, ttlMs), _timeout, cancellationToken)
            : ValueTask.FromResult(SortedSetUnionStoreOperation.Fail(error));
    }
}
