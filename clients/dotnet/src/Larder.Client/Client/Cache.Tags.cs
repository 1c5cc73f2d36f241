using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Tags.</content>
public sealed partial class Cache
{
    /// <summary>
    /// Stores an item with tags, by which <see cref="RemoveByTagAsync"/> invalidates it. Replaces any existing item. <see cref="CacheErrorCode.Unknown"/> from
    /// a server without tags, which stores nothing.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value; it may be empty.</param>
    /// <param name="tags">1 to 128 tags, each of 1 to 1,024 bytes.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<SetResponse> SetWithTagsAsync(
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
        SetIfResponse stored = await _runner.Run<SetWithLeaseOperation, SetIfResponse>(Name, operation, _timeout, cancellationToken).ConfigureAwait(false);
        return stored switch
        {
            SetIfResponse.Error failed => SetOperation.Fail(failed.Failure),
            SetIfResponse.Stored => SetResponse.Success.Instance,
            _ => SetOperation.Fail(new CacheError(CacheErrorCode.Internal, "The server did not store an item that nothing was to keep from being stored.")),
        };
    }

    /// <summary>
    /// Invalidates every item that has any of the tags, in one call whose cost does not depend on the number of items. Near copies of the cache are dropped.
    /// <see cref="CacheErrorCode.Unknown"/> from a server without tags.
    /// </summary>
    /// <param name="tags">1 to 128 tags, each of 1 to 1,024 bytes.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<RemoveByTagResponse> RemoveByTagAsync(IReadOnlyList<CacheBytes> tags, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckTags(tags, isSome: true);
        return error is null
            ? _runner.Run<RemoveByTagOperation, RemoveByTagResponse>(Name, new RemoveByTagOperation([.. tags]), _timeout, cancellationToken)
            : ValueTask.FromResult(RemoveByTagOperation.Fail(error));
    }
}
