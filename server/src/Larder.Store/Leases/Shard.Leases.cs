using Larder.Store.Leases;

namespace Larder.Store;

/// <summary>Stores values for lease holders.</summary>
internal sealed unsafe partial class Shard
{
    /// <summary>
    /// Stores a scalar if its lease is still valid. The lease is checked while the lock is held. A set or delete voids the lease before it takes this lock.
    /// Therefore, the value of the lease holder, which may be older, cannot overwrite the effect of the set or delete.
    /// </summary>
    public bool SetLeased(Cache cache, uint hash, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, ReadOnlySpan<byte> tail, Lease lease)
    {
        EntryHeader* entry = null;
        EnterWithSpace(EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        try
        {
            if (lease.IsVoid || !ReferenceEquals(cache.LiveSpace, lease.Space))
            {
                return false;
            }

            long nowMs = _parts.Clock.NowMs;
            ulong* slot = LockLive(hash, lease.Space, key, nowMs, out entry);
            if (slot != null && entry->Type != ItemType.Scalar)
            {
                return false;
            }

            Write(lease.Space, hash, slot, key, value, nowMs + ttlMs, ItemType.Scalar, tail);
            CountSet(lease.Space);
            return true;
        }
        finally
        {
            EntryHeader.Unlock(entry);
            _lock.Exit();
        }
    }
}
