using Larder.Client.Calls;
using Larder.Client.Operations;

namespace Larder.Client.Leases;

/// <summary>The calls that a get-or-create makes on one cache.</summary>
internal sealed class LeaseCalls(CallRunner runner, string cache, long timeout)
{
    /// <summary>Gets the cache's name.</summary>
    public string Cache => cache;

    public ValueTask<LeaseAnswer> GetOrLeaseAsync(CacheBytes key, uint leaseMs) =>
        runner.Run<GetOrLeaseOperation, LeaseAnswer>(cache, new GetOrLeaseOperation(key, leaseMs), timeout, default);

    /// <summary>
    /// Stores a created value. Returns the error, or null if the call succeeded. A call also succeeds if the server did not store the value because the lease
    /// had ended.
    /// </summary>
    public async ValueTask<CacheError?> StoreAsync(
        CacheBytes key,
        byte[] value,
        ulong ttlMs,
        ulong staleMs,
        byte[] token,
        CacheBytes[] tags,
        CacheBytes validator,
        CancellationToken cancelled)
    {
        SetWithLeaseOperation operation = new(key, value, ttlMs, staleMs, token, tags, validator);
        SetIfResult stored = await runner.Run<SetWithLeaseOperation, SetIfResult>(cache, operation, timeout, cancelled).ConfigureAwait(false);
        return stored.Error;
    }

    /// <summary>Stores a value with a set that uses neither a lease nor tags. Returns the error, or null if the call succeeded.</summary>
    public async ValueTask<CacheError?> SetAsync(CacheBytes key, byte[] value, ulong ttlMs, CancellationToken cancelled)
    {
        CacheResult stored = await runner.Run<SetOperation, CacheResult>(cache, new SetOperation(key, value, ttlMs), timeout, cancelled).ConfigureAwait(false);
        return stored.Error;
    }

    /// <summary>Releases a lease. Never throws. Does nothing if the token is empty, which means that no lease was granted.</summary>
    public async ValueTask ReleaseAsync(CacheBytes key, byte[] token)
    {
        if (token.Length == 0)
        {
            return;
        }

        try
        {
            await runner.Run<ReleaseLeaseOperation, CacheResult>(cache, new ReleaseLeaseOperation(key, token), timeout, default).ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // The client is closed. The lease ends when it times out.
        }
    }
}
