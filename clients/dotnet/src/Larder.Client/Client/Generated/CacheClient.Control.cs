// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls that create, delete, list and flush caches. Always unary.</content>
public sealed partial class CacheClient
{
    /// <summary>Creates a cache. Fails with <see cref="CacheErrorCode.AlreadyExists"/> if the cache already exists.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> CreateCacheAsync(string cache, CancellationToken cancellationToken = default)
    {
        CacheError? error = Arguments.CheckCache(cache);
        return error is null
            ? _runner.Run<CreateCacheOperation, CacheResult>("", new CreateCacheOperation(cache), _timeout, cancellationToken)
            : ValueTask.FromResult(CreateCacheOperation.Fail(error));
    }

    /// <summary>Deletes a cache and its items. Fails with <see cref="CacheErrorCode.NotFound"/> if the cache does not exist.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DeleteCacheAsync(string cache, CancellationToken cancellationToken = default)
    {
        CacheError? error = Arguments.CheckCache(cache);
        return error is null
            ? _runner.Run<DeleteCacheOperation, CacheResult>("", new DeleteCacheOperation(cache), _timeout, cancellationToken)
            : ValueTask.FromResult(DeleteCacheOperation.Fail(error));
    }

    /// <summary>Deletes all items of a cache. Fails with <see cref="CacheErrorCode.NotFound"/> if the cache does not exist.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> FlushCacheAsync(string cache, CancellationToken cancellationToken = default)
    {
        CacheError? error = Arguments.CheckCache(cache);
        return error is null
            ? _runner.Run<FlushCacheOperation, CacheResult>("", new FlushCacheOperation(cache), _timeout, cancellationToken)
            : ValueTask.FromResult(FlushCacheOperation.Fail(error));
    }

    /// <summary>Lists the caches and their limits.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: one entry for each cache.</returns>
    public ValueTask<CacheResult<IReadOnlyList<CacheInfo>>> ListCachesAsync(CancellationToken cancellationToken = default) =>
        _runner.Run<ListCachesOperation, CacheResult<IReadOnlyList<CacheInfo>>>("", new ListCachesOperation(), _timeout, cancellationToken);

    /// <summary>Checks that the server responds.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> PingAsync(CancellationToken cancellationToken = default) =>
        _runner.Run<PingOperation, CacheResult>("", new PingOperation(), _timeout, cancellationToken);
}
