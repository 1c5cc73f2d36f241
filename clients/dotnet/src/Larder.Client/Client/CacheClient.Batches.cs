using Larder.Client.Operations;

namespace Larder.Client;

/// <content>
/// Calls on many items. Each has one deadline and counts once against the cap; one whose message would be over 11,010,048 bytes is sent in parts, one after the
/// other. The list is read before the call is made, and refused past a million items; arrays in it must stay as they are until it has ended.
/// </content>
public sealed partial class CacheClient
{
    /// <summary>Gets many items. Of a call in parts, a part that fails is an error for each of its keys; the call fails where every part does.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="keys">The keys, in the order of the answers; may be none.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<GetBatchResponse> GetBatchAsync(string cache, IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        CacheError? error = Arguments.TryRead(keys, out CacheBytes[] all) ?? CheckCache(cache) ?? Arguments.CheckKeys(all);
        return RunBatch<CacheBytes, GetBatchOperation, GetBatchResponse>(
            cache, error, all, static key => Field.MeasureNested(1, key), static part => new GetBatchOperation(part), Join, cancellationToken);
    }

    /// <summary>
    /// Stores many items, one after the other; the batch as a whole is not atomic. Of a call in parts, the first error is the answer; the other parts are
    /// stored.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="items">The items, in the order of the answers; may be none.</param>
    /// <param name="ttl">Time to live of items that give none; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetBatchResponse> SetBatchAsync(
        string cache,
        IReadOnlyList<SetBatchItem> items,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        ulong ttlMs = 0;
        CacheError? error = Arguments.TryRead(items, out SetBatchItem[] all) ?? CheckTtl(ttl, out ttlMs) ?? CheckCache(cache) ?? Arguments.CheckItems(all);
        return RunBatch<SetBatchItem, SetBatchOperation, SetBatchResponse>(
            cache, error, all, item => SetBatchOperation.MeasureItem(item, ttlMs), part => new SetBatchOperation(part, ttlMs), Join, cancellationToken);
    }

    /// <summary>Asks which of many items exist. Of a call in parts, the first error is the answer.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="keys">The keys, in the order of the answers; may be none.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeysExistResponse> KeysExistAsync(string cache, IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        CacheError? error = Arguments.TryRead(keys, out CacheBytes[] all) ?? CheckCache(cache) ?? Arguments.CheckKeys(all);
        return RunBatch<CacheBytes, KeysExistOperation, KeysExistResponse>(
            cache, error, all, static key => Field.MeasureKey(key), static part => new KeysExistOperation(part), Join, cancellationToken);
    }

    // One call, or one for each part, all within the deadline that begins now.
    private ValueTask<TResponse> RunBatch<TItem, TOperation, TResponse>(
        string cache,
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
            _runner.Run<TOperation, TResponse>(cache, operationOf(part), startedAt, _timeout, cancellationToken);
    }

    /// <summary>Asks whether an item exists.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeyExistsResponse> KeyExistsAsync(string cache, CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<KeyExistsOperation, KeyExistsResponse>(cache, new KeyExistsOperation(key), _timeout, cancellationToken)
            : ValueTask.FromResult(KeyExistsOperation.Fail(error));
    }

    private static GetBatchResponse Join(List<GetBatchResponse> answers, List<ArraySegment<CacheBytes>> parts) =>
        answers.TrueForAll(static answer => answer is GetBatchResponse.Error)
            ? answers[0]
            : new GetBatchResponse.Success([.. answers.SelectMany((answer, part) => answer switch
            {
                GetBatchResponse.Success success => success.Responses,
                GetBatchResponse.Error error => Enumerable.Repeat<GetResponse>(new GetResponse.Error(error.Failure), parts[part].Count),
                _ => [],
            })]);

    private static SetBatchResponse Join(List<SetBatchResponse> answers, List<ArraySegment<SetBatchItem>> parts) =>
        BatchParts.FirstFailure(answers) is { } failure
        ? new SetBatchResponse.Error(failure)
        : new SetBatchResponse.Success([.. answers.OfType<SetBatchResponse.Success>().SelectMany(static answer => answer.Responses)]);

    private static KeysExistResponse Join(List<KeysExistResponse> answers, List<ArraySegment<CacheBytes>> parts) =>
        BatchParts.FirstFailure(answers) is { } failure
        ? new KeysExistResponse.Error(failure)
        : new KeysExistResponse.Success([.. answers.OfType<KeysExistResponse.Success>().SelectMany(static answer => answer.Exists)]);
}
