using System.Collections.Concurrent;

namespace Larder.Store.Leases;

/// <summary>The leases of one cache, by the hash of their key. Thread-safe. A write to a key without a lease takes no lock here.</summary>
/// <param name="pool">The pool of leases that all caches of the store share.</param>
internal sealed class LeaseTable(SharedPool pool) : PoolShare
{
    /// <summary>The maximum number of leases of all caches of a store together. A lease takes about 400 bytes: 26 MB in total.</summary>
    public const int MaxLeases = 65_536;

    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<ulong, Lease> _byHash = new();

    // From the oldest to the newest. Guarded by _gate.
    private readonly LinkedList<Lease> _byAge = [];
    private volatile int _count;

    /// <summary>Whether there are any leases. Costs a single read.</summary>
    public bool Any => _count != 0;

    /// <summary>Returns the lease of a key: the existing one, or a new one for the caller.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="nowMs">The current time of the store's clock.</param>
    /// <param name="create">Creates a new lease.</param>
    /// <param name="isNew">Whether the lease is new and belongs to the caller.</param>
    /// <returns>The lease; null if there is none and this cache already has its share of all leases.</returns>
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

        // Outside the gate, because this may end a lease of another cache.
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

    /// <summary>Returns the lease with this token if it has not expired and the key was not written since; otherwise null.</summary>
    public Lease? Find(ulong hash, ReadOnlySpan<byte> token, long nowMs) =>
        _byHash.TryGetValue(hash, out Lease? lease) && lease.IsShownBy(token) && lease.EndsAtMs > nowMs && !lease.IsVoid ? lease : null;

    /// <summary>Voids the key's lease: its holder cannot store a value any more. Waiting callers wait until <see cref="End"/>.</summary>
    public void Void(ulong hash)
    {
        if (_byHash.TryGetValue(hash, out Lease? lease))
        {
            lease.Void();
        }
    }

    /// <summary>Ends the key's lease and wakes the callers that wait for it.</summary>
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

    /// <summary>Removes expired leases. With <see cref="long.MaxValue"/>, for a deleted cache, removes all.</summary>
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

    // Call with _gate held.
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

    // Call with _gate held.
    private void Remove(Lease lease)
    {
        _byHash.TryRemove(lease.Hash, out _);
        _byAge.Remove(lease.Place!);
        _count--;
        lease.Void();
        lease.End();
    }
}
