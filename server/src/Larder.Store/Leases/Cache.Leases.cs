using System.Runtime.CompilerServices;
using Larder.Store.Leases;

namespace Larder.Store;

/// <summary>Leases: of many who miss a key, one makes its value.</summary>
public sealed unsafe partial class Cache
{
    // Most caches have none: made with the first lease.
    private LeaseTable? _leases;

    /// <summary>The lease of a key that has no fresh value: the one that somebody holds, or a new one for who asks.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="leaseMs">How long a new one lasts, in milliseconds: 1 or more.</param>
    /// <param name="isNew">Whether it is the asker's.</param>
    /// <returns>Null if the cache is deleted, or the store has its most leases and this cache its share of them.</returns>
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

    /// <summary>Milliseconds until a lease's time is over: 0 or more.</summary>
    public long LeftOf(Lease lease)
    {
        ArgumentNullException.ThrowIfNull(lease);
        return Math.Max(lease.EndsAtMs - _store.Clock.NowMs, 0);
    }

    /// <summary>
    /// Stores what the holder of a lease made, and ends the lease. Not where the lease's time is over, or somebody has stored a value, deleted the key or
    /// flushed the cache since it was given; nor over a collection. A tag that was removed since makes what is stored a miss.
    /// </summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="value">Any bytes, or none.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires: 1 to the store's longest TTL.</param>
    /// <param name="staleMs">Milliseconds past its TTL in which it is there for who takes what is stale.</param>
    /// <param name="tags">What its tags are known by.</param>
    /// <param name="token">The lease's.</param>
    /// <returns>Whether it is stored.</returns>
    /// <exception cref="ArgumentException">As for <see cref="SetWith"/>.</exception>
    [SkipLocalsInit]
    public bool SetLeased(
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long ttlMs,
        long staleMs,
        ReadOnlySpan<ulong> tags,
        ReadOnlySpan<byte> token)
    {
        CheckSet(key, value, ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        if (_leases?.Find(hash, token, _store.Clock.NowMs) is not { } lease)
        {
            return false;
        }

        ItemExtras extras = new(tags, staleMs, lease.MadeIn);
        _store.CheckExtras(extras);
        ReadOnlySpan<byte> tail = EntryTail.Write(stackalloc byte[EntryTail.MaxBytes], extras.StaleMs, extras.MadeIn, extras.Tags);
        bool isStored = shard.SetLeased(this, KeyHash.InShard(hash), key, value, ttlMs, tail, lease);
        if (isStored)
        {
            Stored(hash, EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        }

        return isStored;
    }

    /// <summary>Gives a lease back: who waits is woken, and one of them is given it.</summary>
    /// <returns>Whether it was the token's.</returns>
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

    /// <summary>Forgets leases whose time is over.</summary>
    internal void ForgetLeases(long nowMs)
    {
        if (_leases is { Any: true } leases)
        {
            leases.Forget(nowMs);
        }
    }

    // Before a write: who holds the key's lease may not store over it what was made before.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void VoidLease(ulong hash)
    {
        if (_leases is { Any: true } leases)
        {
            leases.Void(hash);
        }
    }

    // After it: who waits finds what was written.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EndLease(ulong hash)
    {
        if (_leases is { Any: true } leases)
        {
            leases.End(hash);
        }
    }
}
