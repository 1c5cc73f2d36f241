using System.Runtime.CompilerServices;
using Larder.Store.Leases;

namespace Larder.Store;

/// <summary>Lease operations. If many callers miss a key, only the caller with the lease creates its value.</summary>
public sealed unsafe partial class Cache
{
    // The table is created with the first lease, because most caches never use leases.
    private LeaseTable? _leases;

    /// <summary>Gets the lease of a key that has no fresh value. If the key has no lease yet, a new one is created for the caller.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="leaseMs">The duration of a new lease in milliseconds: at least 1.</param>
    /// <param name="isNew">Whether the lease is new and belongs to the caller.</param>
    /// <returns>
    /// The lease. It is null if the cache is deleted. It is also null if the store has its maximum number of leases and this cache already has its share of
    /// them.
    /// </returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public Lease? TakeLease(ReadOnlySpan<byte> key, long leaseMs, out bool isNew)
    {
        ShardOf(key, out ulong hash);
        isNew = false;
        long nowMs = _store.Clock.NowMs;
        return LiveSpace is { } space
            ? LazyInitializer.EnsureInitialized(ref _leases, () => new LeaseTable(_store.LeasePool))
                .Take(hash, nowMs, () => new Lease(space, hash, Removals, nowMs + leaseMs), out isNew)
            : null;
    }

    /// <summary>Returns the remaining time of a lease in milliseconds: 0 or more.</summary>
    public long LeftOf(Lease lease)
    {
        ArgumentNullException.ThrowIfNull(lease);
        return Math.Max(lease.EndsAtMs - _store.Clock.NowMs, 0);
    }

    /// <summary>
    /// Stores a value for the holder of a lease and ends the lease. The value is not stored if the lease has expired, or if the item under the key is a
    /// collection. It is also not stored if the key was written or deleted, or the cache was flushed, since the lease was taken. If a tag of the value was
    /// removed since the lease was taken, the stored item is a miss.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value; may be empty.</param>
    /// <param name="ttlMs">The time to live in milliseconds: 1 to the store's maximum TTL.</param>
    /// <param name="staleMs">The time for which the item may be served stale after it expires, in milliseconds.</param>
    /// <param name="tags">The hashes of the tags.</param>
    /// <param name="token">The token of the lease.</param>
    /// <param name="validator">The validator (<see cref="ItemExtras.Validator"/>); empty if there is none.</param>
    /// <returns>True if the value was stored.</returns>
    /// <exception cref="ArgumentException">The same cases as for <see cref="SetWith"/>.</exception>
    [SkipLocalsInit]
    public bool SetLeased(
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long ttlMs,
        long staleMs,
        ReadOnlySpan<ulong> tags,
        ReadOnlySpan<byte> token,
        ReadOnlySpan<byte> validator = default)
    {
        CheckSet(key, value, ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        if (_leases?.Find(hash, token, _store.Clock.NowMs) is not { } lease)
        {
            return false;
        }

        ItemExtras extras = new(tags, staleMs, lease.MadeIn, validator);
        _store.CheckExtras(extras);
        ReadOnlySpan<byte> tail = EntryTail.Write(stackalloc byte[EntryTail.MaxBytes], extras);
        bool isStored = shard.SetLeased(this, KeyHash.InShard(hash), key, value, ttlMs, tail, lease);
        if (isStored)
        {
            Stored(hash, EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        }

        return isStored;
    }

    /// <summary>Releases a lease and notifies all waiting callers. The first of them that requests a lease again gets a new one.</summary>
    /// <returns>True if the token belonged to the current lease of the key.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool GiveLeaseBack(ReadOnlySpan<byte> key, ReadOnlySpan<byte> token)
    {
        ShardOf(key, out ulong hash);
        bool isHeld = _leases?.Find(hash, token, _store.Clock.NowMs) is not null;
        if (isHeld)
        {
            EndLease(hash);
        }

        return isHeld;
    }

    /// <summary>Removes leases that have expired.</summary>
    internal void ForgetLeases(long nowMs)
    {
        if (_leases is { Any: true } leases)
        {
            leases.Forget(nowMs);
        }
    }

    // Called before a write, so that the holder of the key's lease cannot overwrite the new value with an older one.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void VoidLease(ulong hash)
    {
        if (_leases is { Any: true } leases)
        {
            leases.Void(hash);
        }
    }

    // Called after a write. The waiting callers then find the written value.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EndLease(ulong hash)
    {
        if (_leases is { Any: true } leases)
        {
            leases.End(hash);
        }
    }
}
