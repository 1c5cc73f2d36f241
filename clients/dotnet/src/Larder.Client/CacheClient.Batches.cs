using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on many items. Each has one deadline and counts once against the cap.</content>
public sealed partial class CacheClient
{
    /// <summary>Gets many items.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="keys">The keys, in the order of the answers; may be none. Must stay as they are until the call has ended.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<GetBatchResponse> GetBatchAsync(string cache, IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKeys(keys);
        return error is null
            ? _executor.Run<GetBatchOperation, GetBatchResponse>(cache, new GetBatchOperation(keys), cancellationToken)
            : ValueTask.FromResult(GetBatchOperation.Fail(error));
    }

    /// <summary>Stores many items, one after the other; the batch as a whole is not atomic.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="items">The items, in the order of the answers; may be none. Must stay as they are until the call has ended.</param>
    /// <param name="ttl">Time to live of items that give none; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetBatchResponse> SetBatchAsync(string cache, IReadOnlyList<SetBatchItem> items, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? CheckCache(cache) ?? Arguments.CheckItems(items);
        return error is null
            ? _executor.Run<SetBatchOperation, SetBatchResponse>(cache, new SetBatchOperation(items, ttlMs), cancellationToken)
            : ValueTask.FromResult(SetBatchOperation.Fail(error));
    }

    /// <summary>Asks which of many items exist.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="keys">The keys, in the order of the answers; may be none. Must stay as they are until the call has ended.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeysExistResponse> KeysExistAsync(string cache, IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKeys(keys);
        return error is null
            ? _executor.Run<KeysExistOperation, KeysExistResponse>(cache, new KeysExistOperation(keys), cancellationToken)
            : ValueTask.FromResult(KeysExistOperation.Fail(error));
    }
}
