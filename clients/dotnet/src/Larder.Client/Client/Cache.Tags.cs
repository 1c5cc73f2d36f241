using Larder.Client.Leases;
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Items with tags.</content>
public sealed partial class Cache
{
    /// <summary>
    /// Stores an item with tags. Replaces any existing item. <see cref="RemoveByTagAsync"/> with any of the tags invalidates the item. If the server does not
    /// support tags, the call fails with <see cref="CacheErrorCode.Unknown"/> and stores nothing.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value, which may be empty.</param>
    /// <param name="tags">1 to 128 tags, each of 1 to 1,024 bytes.</param>
    /// <param name="ttl">
    /// The time to live: greater than 0, and at most 365 days or the server's limit if that is lower. If null, the client's default time to live applies.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<CacheResult> SetWithTagsAsync(
        CacheBytes key,
        CacheBytes value,
        IReadOnlyList<CacheBytes> tags,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value)
            ?? Arguments.CheckTags(tags, isSome: true);
        if (error is not null)
        {
            return SetOperation.Fail(error);
        }

        SetWithLeaseOperation operation = new(key, value, ttlMs, staleMs: 0, token: [], [.. tags]);
        SetIfResult stored = await _runner.Run<SetWithLeaseOperation, SetIfResult>(Name, operation, _timeout, cancellationToken).ConfigureAwait(false);
        return stored switch
        {
            { IsError: true } => SetOperation.Fail(stored.Error),
            { IsStored: true } => CacheResult.Success,
            _ => SetOperation.Fail(new CacheError(CacheErrorCode.Internal, "The server did not store the item, although the call had no condition.")),
        };
    }

    /// <summary>Stores an item with tags and a stale time. Returns the error, or null if the item was stored.</summary>
    internal ValueTask<CacheError?> StoreAsync(
        CacheBytes key, byte[] value, ulong ttlMs, ulong staleMs, CacheBytes[] tags, CancellationToken cancellationToken) =>
        new LeaseCalls(_runner, Name, _timeout).StoreAsync(key, value, ttlMs, staleMs, token: [], tags, validator: default, cancellationToken);

    /// <summary>
    /// Invalidates every item that has any of the tags. The cost of the call does not depend on the number of items. The call also removes all of the cache's
    /// values from this client's near cache. The call fails with <see cref="CacheErrorCode.Unknown"/> if the server does not support tags.
    /// </summary>
    /// <param name="tags">1 to 128 tags, each of 1 to 1,024 bytes.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> RemoveByTagAsync(IReadOnlyList<CacheBytes> tags, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckTags(tags, isSome: true);
        return error is null
            ? _runner.Run<RemoveByTagOperation, CacheResult>(Name, new RemoveByTagOperation([.. tags]), _timeout, cancellationToken)
            : ValueTask.FromResult(RemoveByTagOperation.Fail(error));
    }
}
