namespace Larder.Client.Leases;

/// <summary>What a <see cref="LeasedCreation"/> asks of the cache.</summary>
internal interface ILeaseCalls
{
    ValueTask<LeaseAnswer> GetOrLeaseAsync(CacheBytes key, uint leaseMs, CancellationToken cancelled);

    ValueTask<SetIfResponse> StoreAsync(CacheBytes key, byte[] value, ulong ttlMs, ulong staleMs, byte[] token, CacheBytes[] tags, CancellationToken cancelled);

    ValueTask<SetIfResponse> SetAsync(CacheBytes key, byte[] value, ulong ttlMs, CancellationToken cancelled);

    /// <summary>Never throws.</summary>
    ValueTask ReleaseAsync(CacheBytes key, byte[] token);
}
