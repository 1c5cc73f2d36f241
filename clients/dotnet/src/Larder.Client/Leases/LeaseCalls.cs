using Larder.Client.Calls;
using Larder.Client.Operations;

namespace Larder.Client.Leases;

/// <summary>The calls on one cache.</summary>
internal sealed class LeaseCalls(CallRunner runner, string cache, long timeout) : ILeaseCalls
{
    public ValueTask<LeaseAnswer> GetOrLeaseAsync(CacheBytes key, uint leaseMs, CancellationToken cancelled) =>
        runner.Run<GetOrLeaseOperation, LeaseAnswer>(cache, new GetOrLeaseOperation(key, leaseMs), timeout, cancelled);

    public ValueTask<SetIfResponse> StoreAsync(
        CacheBytes key,
        byte[] value,
        ulong ttlMs,
        ulong staleMs,
        byte[] token,
        CacheBytes[] tags,
        CancellationToken cancelled)
    {
        SetWithLeaseOperation operation = new(key, value, ttlMs, staleMs, token, tags);
        return runner.Run<SetWithLeaseOperation, SetIfResponse>(cache, operation, timeout, cancelled);
    }

    public async ValueTask<SetIfResponse> SetAsync(CacheBytes key, byte[] value, ulong ttlMs, CancellationToken cancelled)
    {
        SetResponse set = await runner.Run<SetOperation, SetResponse>(cache, new SetOperation(key, value, ttlMs), timeout, cancelled).ConfigureAwait(false);
        return set is SetResponse.Error error ? new SetIfResponse.Error(error.Failure) : SetIfResponse.Stored.Instance;
    }

    public async ValueTask ReleaseAsync(CacheBytes key, byte[] token)
    {
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
