using System.Collections.Concurrent;

namespace Larder.Store.Leases;

/// <summary>The leases of one cache, by the hash of their key. Safe from any thread; a write whose key has no lease takes no lock for it.</summary>
/// <param name="pool">Where all caches of the store take their leases from.</param>
internal sealed class LeaseTable(SharedPool pool) : PoolShare
{
    /// <summary>The most leases that all caches of a store have at once. Each takes some 400 bytes: 26 MB.</summary>
    public const int MaxLeases = 65_536;

    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<ulong, Lease> _byHash = new();

    // Under the gate: from the oldest to the newest.
    private readonly LinkedList<Lease> _byAge = [];
    private volatile int _count;

    /// <summary>Whether there is any, at the price of one read.</summary>
    public bool Any => _count != 0;

    /// <summary>The lease of a key: the one that somebody holds, or a new one for the caller.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="nowMs">The store's time.</param>
    /// <param name="create">Creates a new one.</param>
    /// <param name="isNew">Whether it is the caller's.</param>
    /// <returns>Null if nobody holds one, and this cache has its share of all leases.</returns>
    public Lease? Take(ulong hash, long nowMs, Func<Lease> create, out bool isNew)
    {
        isNew = false;
        lock (_gate)
        {
            if (FindHeld(hash, nowMs) is { } held)
            {
                return held;
            }
        }

        // Outside the gate: another cache's lease may end for it.
        if (pool.Take(this, 1) == 0)
        {
            return null;
        }

        lock (_gate)
        {
            if (FindHeld(hash, nowMs) is { } held)
            {
                pool.GiveBack(this, 1);
                return held;
            }

            isNew = true;
            Lease lease = create();
            _byHash[hash] = lease;
            lease.Place = _byAge.AddLast(lease);
            _count++;
            return lease;
        }
    }

    /// <summary>The lease that the token is of, if its time is not over and nothing was written since.</summary>
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
                    Remove(lease);
                    pool.GiveBack(this, 1);
                }
            }
        }
    }

    /// <summary>Forgets those whose time is over; of a cache that is deleted, all.</summary>
    public void Forget(long nowMs)
    {
        lock (_gate)
        {
            foreach ((_, Lease lease) in _byHash)
            {
                if (lease.EndsAtMs <= nowMs)
                {
                    Remove(lease);
                    pool.GiveBack(this, 1);
                }
            }
        }
    }

    /// <inheritdoc/>
    public override int GiveUp(int places)
    {
        lock (_gate)
        {
            int given = 0;
            for (; given < places && _byAge.First is { } oldest; given++)
            {
                Remove(oldest.Value);
            }

            return given;
        }
    }

    // Under the gate.
    private Lease? FindHeld(ulong hash, long nowMs)
    {
        if (!_byHash.TryGetValue(hash, out Lease? held) || (held.EndsAtMs > nowMs && !held.IsVoid))
        {
            return held;
        }

        Remove(held);
        pool.GiveBack(this, 1);
        return null;
    }

    // Under the gate.
    private void Remove(Lease lease)
    {
        _byHash.TryRemove(lease.Hash, out _);
        _byAge.Remove(lease.Place!);
        _count--;
        lease.Void();
        lease.End();
    }
}
