using System.Collections.Concurrent;

namespace Larder.Store.Leases;

/// <summary>The leases of one cache, by the hash of their key. Thread-safe. For a write to a key without a lease, the table takes no lock.</summary>
/// <param name="pool">The pool of leases that all caches of the store share.</param>
internal sealed class LeaseTable(SharedPool pool) : PoolShare
{
    /// <summary>The maximum number of leases of all caches of a store together. A lease takes about 400 bytes, so all leases take at most 26 MB.</summary>
    public const int MaxLeases = 65_536;

    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<ulong, Lease> _byHash = new();

    // The leases from the oldest to the newest. Guarded by _gate.
    private readonly LinkedList<Lease> _byAge = [];
    private volatile int _count;

    /// <summary>Whether there are any leases. The check costs a single read.</summary>
    public bool Any => _count != 0;

    /// <summary>Returns the existing lease of a key. If there is none, creates a lease for the caller.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="nowMs">The current time of the store's clock.</param>
    /// <param name="create">Creates a new lease.</param>
    /// <param name="isNew">Whether the lease is new and belongs to the caller.</param>
    /// <returns>The lease; null if the key has no lease and this cache already has its share of all leases.</returns>
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

        // Called without holding _gate, because this may end a lease of another cache.
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

    /// <summary>
    /// Returns the key's lease if it has this token, has not expired, and the key was not written since the lease was taken. Otherwise returns null.
    /// </summary>
    public Lease? Find(ulong hash, ReadOnlySpan<byte> token, long nowMs) =>
        _byHash.TryGetValue(hash, out Lease? lease) && lease.IsShownBy(token) && lease.EndsAtMs > nowMs && !lease.IsVoid ? lease : null;

    /// <summary>Voids the key's lease, so that its holder cannot store a value anymore. Other callers continue to wait until <see cref="End"/>.</summary>
    public void Void(ulong hash)
    {
        if (_byHash.TryGetValue(hash, out Lease? lease))
        {
            lease.Void();
        }
    }

    /// <summary>Ends the key's lease and notifies the callers that wait for it.</summary>
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

    /// <summary>Removes expired leases. With <see cref="long.MaxValue"/>, which is used for a deleted cache, removes all leases.</summary>
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

    // Returns the valid lease of a key, if there is one. Removes the lease if it has expired or is void. The caller must hold _gate.
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

    // The caller must hold _gate.
    private void Remove(Lease lease)
    {
        _byHash.TryRemove(lease.Hash, out _);
        _byAge.Remove(lease.Place!);
        _count--;
        lease.Void();
        lease.End();
    }
}
