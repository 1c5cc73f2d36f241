using System.Collections.Concurrent;

namespace Larder.Store.Leases;

/// <summary>The leases of one cache, by the hash of their key. Safe from any thread; a write whose key has no lease takes no lock for it.</summary>
internal sealed class LeaseTable(LeaseRoom room)
{
    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<ulong, Lease> _byHash = new();
    private volatile int _count;

    /// <summary>Whether there is any, at the price of one read.</summary>
    public bool Any => _count != 0;

    /// <summary>The lease of a key: the one that somebody holds, or a new one for who asks.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="nowMs">The store's time.</param>
    /// <param name="make">Makes a new one.</param>
    /// <param name="isNew">Whether it is the asker's.</param>
    /// <returns>Null where there is none and no room for one.</returns>
    public Lease? Take(ulong hash, long nowMs, Func<Lease> make, out bool isNew)
    {
        lock (_gate)
        {
            isNew = false;
            if (_byHash.TryGetValue(hash, out Lease? held))
            {
                if (held.EndsAtMs > nowMs && !held.IsVoid)
                {
                    return held;
                }

                Remove(hash, held);
            }

            if (!room.TryTake())
            {
                return null;
            }

            isNew = true;
            Lease lease = make();
            _byHash[hash] = lease;
            _count++;
            return lease;
        }
    }

    /// <summary>The lease that the token is of, where its time is not over and nothing was written since.</summary>
    public Lease? Find(ulong hash, ReadOnlySpan<byte> token, long nowMs) =>
        _byHash.TryGetValue(hash, out Lease? lease) && lease.IsShownBy(token) && lease.EndsAtMs > nowMs && !lease.IsVoid ? lease : null;

    /// <summary>What its holder makes may not be stored any more; who waits goes on waiting until <see cref="End"/>.</summary>
    public void Void(ulong hash)
    {
        if (_byHash.TryGetValue(hash, out Lease? lease))
        {
            lease.Void();
        }
    }

    /// <summary>Ends the key's lease, whoever holds it, and wakes who waits for it.</summary>
    public void End(ulong hash)
    {
        if (_byHash.ContainsKey(hash))
        {
            lock (_gate)
            {
                if (_byHash.TryGetValue(hash, out Lease? lease))
                {
                    Remove(hash, lease);
                }
            }
        }
    }

    /// <summary>Forgets those whose time is over; of a cache that is deleted, all.</summary>
    public void Forget(long nowMs)
    {
        lock (_gate)
        {
            foreach ((ulong hash, Lease lease) in _byHash)
            {
                if (lease.EndsAtMs <= nowMs)
                {
                    Remove(hash, lease);
                }
            }
        }
    }

    private void Remove(ulong hash, Lease lease)
    {
        _byHash.TryRemove(hash, out _);
        _count--;
        room.GiveBack();
        lease.Void();
        lease.End();
    }
}
