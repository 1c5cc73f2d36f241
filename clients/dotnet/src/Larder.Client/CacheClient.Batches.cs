using Larder.Client.Operations;

namespace Larder.Client;

/// <content>
/// Calls on many items. Each has one deadline and counts once against the cap; one whose message would be over 11,010,048 bytes is sent in parts, one after the other.
/// The list is read before the call is made; arrays in it must stay as they are until it has ended.
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
        CacheBytes[] all = [.. keys];
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKeys(all);
        if (error is not null)
        {
            return ValueTask.FromResult(GetBatchOperation.Fail(error));
        }

        List<ArraySegment<CacheBytes>> parts = BatchParts.Of(all, static key => Field.MeasureNested(1, key));
        long startedAt = _executor.Clock.Now;
        return parts.Count == 1 ? Send(parts[0]) : BatchParts.SendAsync(parts, Send, answers => Join(answers, parts));

        ValueTask<GetBatchResponse> Send(ArraySegment<CacheBytes> part) =>
            _executor.Run<GetBatchOperation, GetBatchResponse>(cache, new GetBatchOperation(part), startedAt, cancellationToken);
    }

    /// <summary>Stores many items, one after the other; the batch as a whole is not atomic. Of a call in parts, the first error is the answer; the other parts are stored.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="items">The items, in the order of the answers; may be none.</param>
    /// <param name="ttl">Time to live of items that give none; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetBatchResponse> SetBatchAsync(string cache, IReadOnlyList<SetBatchItem> items, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        SetBatchItem[] all = [.. items];
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? CheckCache(cache) ?? Arguments.CheckItems(all);
        if (error is not null)
        {
            return ValueTask.FromResult(SetBatchOperation.Fail(error));
        }

        List<ArraySegment<SetBatchItem>> parts = BatchParts.Of(all, item => SetBatchOperation.MeasureItem(item, ttlMs));
        long startedAt = _executor.Clock.Now;
        return parts.Count == 1 ? Send(parts[0]) : BatchParts.SendAsync(parts, Send, Join);

        ValueTask<SetBatchResponse> Send(ArraySegment<SetBatchItem> part) =>
            _executor.Run<SetBatchOperation, SetBatchResponse>(cache, new SetBatchOperation(part, ttlMs), startedAt, cancellationToken);
    }

    /// <summary>Asks which of many items exist. Of a call in parts, the first error is the answer.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="keys">The keys, in the order of the answers; may be none.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeysExistResponse> KeysExistAsync(string cache, IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        CacheBytes[] all = [.. keys];
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKeys(all);
        if (error is not null)
        {
            return ValueTask.FromResult(KeysExistOperation.Fail(error));
        }

        List<ArraySegment<CacheBytes>> parts = BatchParts.Of(all, static key => Field.MeasureKey(key));
        long startedAt = _executor.Clock.Now;
        return parts.Count == 1 ? Send(parts[0]) : BatchParts.SendAsync(parts, Send, Join);

        ValueTask<KeysExistResponse> Send(ArraySegment<CacheBytes> part) =>
            _executor.Run<KeysExistOperation, KeysExistResponse>(cache, new KeysExistOperation(part), startedAt, cancellationToken);
    }

    /// <summary>Asks whether an item exists.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeyExistsResponse> KeyExistsAsync(string cache, CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKey(key);
        return error is null
            ? _executor.Run<KeyExistsOperation, KeyExistsResponse>(cache, new KeyExistsOperation(key), cancellationToken)
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

    private static SetBatchResponse Join(List<SetBatchResponse> answers) => BatchParts.FirstFailure(answers) is { } failure
        ? new SetBatchResponse.Error(failure)
        : new SetBatchResponse.Success([.. answers.OfType<SetBatchResponse.Success>().SelectMany(static answer => answer.Responses)]);

    private static KeysExistResponse Join(List<KeysExistResponse> answers) => BatchParts.FirstFailure(answers) is { } failure
        ? new KeysExistResponse.Error(failure)
        : new KeysExistResponse.Success([.. answers.OfType<KeysExistResponse.Success>().SelectMany(static answer => answer.Exists)]);
}
