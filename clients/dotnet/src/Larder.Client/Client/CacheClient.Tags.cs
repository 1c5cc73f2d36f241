using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Tags.</content>
public sealed partial class CacheClient
{
    /// <summary>
    /// Stores an item with tags, whatever is there, by which <see cref="RemoveByTagAsync"/> removes it. <see cref="CacheErrorCode.Unknown"/> from a server that
    /// has no tags; nothing is stored then.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value: any bytes, or none.</param>
    /// <param name="tags">1 to 128, each of 1 to 1,024 bytes.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public async ValueTask<SetResponse> SetWithTagsAsync(
        string cache,
        CacheBytes key,
        CacheBytes value,
        IReadOnlyList<CacheBytes> tags,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? CheckCache(cache) ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value)
            ?? Arguments.CheckTags(tags, isSome: true);
        if (error is not null)
        {
            return SetOperation.Fail(error);
        }

        SetWithLeaseOperation operation = new(key, value, ttlMs, staleMs: 0, token: [], [.. tags]);
        SetIfResponse stored = await _runner.Run<SetWithLeaseOperation, SetIfResponse>(cache, operation, _timeout, cancellationToken).ConfigureAwait(false);
        return stored switch
        {
            SetIfResponse.Error failed => SetOperation.Fail(failed.Failure),
            SetIfResponse.Stored => SetResponse.Success.Instance,
            _ => SetOperation.Fail(new CacheError(CacheErrorCode.Internal, "The server did not store an item that nothing was to keep from being stored.")),
        };
    }

    /// <summary>
    /// Makes a miss of every item of a cache that has one of the tags, however many there are, at the price of one call. Near copies of the cache are dropped.
    /// <see cref="CacheErrorCode.Unknown"/> from a server that has no tags.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="tags">1 to 128, each of 1 to 1,024 bytes.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<RemoveByTagResponse> RemoveByTagAsync(string cache, IReadOnlyList<CacheBytes> tags, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckCache(cache) ?? Arguments.CheckTags(tags, isSome: true);
        return error is null
            ? _runner.Run<RemoveByTagOperation, RemoveByTagResponse>(cache, new RemoveByTagOperation([.. tags]), _timeout, cancellationToken)
            : ValueTask.FromResult(RemoveByTagOperation.Fail(error));
    }
}
