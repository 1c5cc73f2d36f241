using Larder.Client.Operations;

namespace Larder.Client;

/// <content>
/// Calls on many items. Each call has one deadline. A request that would exceed 11,010,048 bytes is sent in parts, one after the other, so it never counts more
/// than once against the limit on requests in flight. The list is read before anything is sent. A list with more than 1,000,000 items is an error. Do not
/// change the arrays in the list until the call has ended.
/// </content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets many items. If the request is sent in parts and a part fails, the result of each key in this part is the error. The call fails only if all parts
    /// fail.
    /// </summary>
    /// <param name="keys">The keys. The results are in the order of the keys. The list may be empty.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> GetBatchAsync(IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken =
        default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        CacheError? error = Arguments.TryRead(keys, out CacheBytes[] all) ?? _invalidName ?? Arguments.CheckKeys(all);
        return RunBatch<CacheBytes, GetBatchOperation, CacheResult<IReadOnlyList<LookupResult<CacheValue>>>>(
            error, all, static key => Field.MeasureNested(1, key), static part => new GetBatchOperation(part), Join, cancellationToken);
    }

    /// <summary>
    /// Stores many items, one after the other. The batch is not atomic. If the request is sent in parts and a part fails, the call fails with the error of the
    /// first failed part. The items of the other parts are still stored.
    /// </summary>
    /// <param name="items">The items. The results are in the order of the items. The list may be empty.</param>
    /// <param name="ttl">The time to live of items without their own time to live. If null, the client's default time to live applies.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<IReadOnlyList<CacheResult>>> SetBatchAsync(
        IReadOnlyList<SetBatchItem> items,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        ulong ttlMs = 0;
        CacheError? error = Arguments.TryRead(items, out SetBatchItem[] all) ?? CheckTtl(ttl, out ttlMs) ?? _invalidName ?? Arguments.CheckItems(all);
        return RunBatch<SetBatchItem, SetBatchOperation, CacheResult<IReadOnlyList<CacheResult>>>(
            error, all, item => SetBatchOperation.MeasureItem(item, ttlMs), part => new SetBatchOperation(part, ttlMs), Join, cancellationToken);
    }

    /// <summary>
    /// Returns for each of many keys whether an item exists. If the request is sent in parts and a part fails, the call fails with the error of the first
    /// failed part.
    /// </summary>
    /// <param name="keys">The keys. The results are in the order of the keys. The list may be empty.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<IReadOnlyList<bool>>> KeysExistAsync(IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        CacheError? error = Arguments.TryRead(keys, out CacheBytes[] all) ?? _invalidName ?? Arguments.CheckKeys(all);
        return RunBatch<CacheBytes, KeysExistOperation, CacheResult<IReadOnlyList<bool>>>(
            error, all, static key => Field.MeasureKey(key), static part => new KeysExistOperation(part), Join, cancellationToken);
    }

    // Sends the request as one call, or as one call for each part. All parts share one deadline, which starts now.
    private ValueTask<TResponse> RunBatch<TItem, TOperation, TResponse>(
        CacheError? error,
        TItem[] items,
        Func<TItem, int> measure,
        Func<ArraySegment<TItem>, TOperation> operationOf,
        Func<List<TResponse>, List<ArraySegment<TItem>>, TResponse> join,
        CancellationToken cancellationToken)
        where TOperation : IOperation<TOperation, TResponse>
        where TResponse : class
    {
        if (error is not null)
        {
            return ValueTask.FromResult(TOperation.Fail(error));
        }

        List<ArraySegment<TItem>> parts = BatchParts.Of(items, measure);
        long startedAt = _runner.Clock.Now;
        return parts.Count == 1 ? Send(parts[0]) : BatchParts.SendAsync(parts, Send, join);

        ValueTask<TResponse> Send(ArraySegment<TItem> part) =>
            _runner.Run<TOperation, TResponse>(Name, operationOf(part), startedAt, _timeout, cancellationToken);
    }

    /// <summary>Returns whether an item exists.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<bool>> KeyExistsAsync(CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<KeyExistsOperation, CacheResult<bool>>(Name, new KeyExistsOperation(key), _timeout, cancellationToken)
            : ValueTask.FromResult(KeyExistsOperation.Fail(error));
    }

    private static CacheResult<IReadOnlyList<LookupResult<CacheValue>>> Join(
        List<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> answers,
        List<ArraySegment<CacheBytes>> parts) => answers.TrueForAll(static answer => answer.IsError)
        ? answers[0]
        : CacheResult<IReadOnlyList<LookupResult<CacheValue>>>.Success([.. answers.SelectMany((answer, part) =>
            answer.TryGetValue(out IReadOnlyList<LookupResult<CacheValue>>? results)
                ? results
                : Enumerable.Repeat(LookupResult<CacheValue>.Failed(answer.Error!), parts[part].Count))]);

    private static CacheResult<IReadOnlyList<T>> Join<T, TItem>(List<CacheResult<IReadOnlyList<T>>> answers, List<ArraySegment<TItem>> parts) =>
        BatchParts.FirstFailure(answers) is { } failure
        ? CacheResult<IReadOnlyList<T>>.Failed(failure)
        : CacheResult<IReadOnlyList<T>>.Success([.. answers.SelectMany(static answer => answer.Value)]);
}
