using Larder.Client.Calls;
using Larder.Client.Operations;

namespace Larder.Client.Leases;

/// <summary>The calls on one cache.</summary>
internal sealed class LeaseCalls(CallRunner runner, string cache, long timeout)
{
    /// <summary>The cache's name.</summary>
    public string Cache => cache;

    public ValueTask<LeaseAnswer> GetOrLeaseAsync(CacheBytes key, uint leaseMs) =>
        runner.Run<GetOrLeaseOperation, LeaseAnswer>(cache, new GetOrLeaseOperation(key, leaseMs), timeout, default);

    /// <summary>Stores what was made; null where that did not fail, also where the lease was over.</summary>
    public async ValueTask<CacheError?> StoreAsync(
        CacheBytes key,
        byte[] value,
        ulong ttlMs,
        ulong staleMs,
        byte[] token,
        CacheBytes[] tags,
        CancellationToken cancelled)
    {
        SetWithLeaseOperation operation = new(key, value, ttlMs, staleMs, token, tags);
        SetIfResponse stored = await runner.Run<SetWithLeaseOperation, SetIfResponse>(cache, operation, timeout, cancelled).ConfigureAwait(false);
        return (stored as SetIfResponse.Error)?.Failure;
    }

    /// <summary>Stores a value as a plain set does; null where that did not fail.</summary>
    public async ValueTask<CacheError?> SetAsync(CacheBytes key, byte[] value, ulong ttlMs, CancellationToken cancelled)
    {
        SetResponse stored = await runner.Run<SetOperation, SetResponse>(cache, new SetOperation(key, value, ttlMs), timeout, cancelled).ConfigureAwait(false);
        return (stored as SetResponse.Error)?.Failure;
    }

    /// <summary>Never throws. An empty token is no lease's.</summary>
    public async ValueTask ReleaseAsync(CacheBytes key, byte[] token)
    {
        if (token.Length == 0)
        {
            return;
        }

        try
        {
            await runner.Run<ReleaseLeaseOperation, DeleteResponse>(cache, new ReleaseLeaseOperation(key, token), timeout, default).ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // The client is closed; the lease ends by itself.
        }
    }
}
