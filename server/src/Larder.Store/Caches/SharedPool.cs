namespace Larder.Store;

/// <summary>
/// A fixed number of places shared by the caches of a store. A cache may take all places while no other cache needs any. When the pool is full, the cache with
/// the most places gives up some of them for a cache with fewer places. So each of n caches can always get 1/n of the places. Thread-safe.
/// </summary>
/// <param name="max">The maximum number of places that <see cref="Take"/> gives to all caches together.</param>
internal sealed class SharedPool(int max)
{
    private readonly Lock _gate = new();

    // Non-empty shares, unordered; each share stores its index in this list. Guarded by _gate.
    private readonly List<PoolShare> _shares = [];
    private int _taken;

    /// <summary>The number of places in use.</summary>
    public int Taken => Volatile.Read(ref _taken);

    /// <summary>
    /// Takes places. If not enough are free, the largest share gives up some of its places. <see cref="PoolShare.GiveUp"/> may acquire locks. The caller must
    /// hold none of them.
    /// </summary>
    /// <param name="share">The share that receives the places.</param>
    /// <param name="places">The number of places: at least 1.</param>
    /// <returns>
    /// The number of places taken. It is less than <paramref name="places"/> if a transfer from any other share would make that share smaller than this one.
    /// </returns>
    public int Take(PoolShare share, int places)
    {
        int missing = places;
        while (true)
        {
            PoolShare largest;
            lock (_gate)
            {
                int free = Math.Clamp(max - _taken, 0, missing);
                Change(share, free);
                missing -= free;
                if (missing == 0 || !TryFindLarger(share, missing, out largest))
                {
                    return places - missing;
                }
            }

            int given = largest.GiveUp(missing);
            if (given == 0)
            {
                // The places of the largest share are about to be filled or returned to the pool. Do not wait for this.
                return places - missing;
            }

            lock (_gate)
            {
                // Transfer the places in one step, so that no third share can take them.
                Change(largest, -given);
                Change(share, given);
                missing -= given;
            }
        }
    }

    /// <summary>Takes places even if the pool is full.</summary>
    public void TakeAboveLimit(PoolShare share, int places)
    {
        lock (_gate)
        {
            Change(share, places);
        }
    }

    /// <summary>Returns places to the pool.</summary>
    public void GiveBack(PoolShare share, int places)
    {
        lock (_gate)
        {
            Change(share, -places);
        }
    }

    // Finds the largest share. Returns false if the transfer would make it smaller than the receiving share. Otherwise, two shares could take places from each
    // other forever. The caller must hold _gate.
    private bool TryFindLarger(PoolShare share, int places, out PoolShare largest)
    {
        largest = share;
        foreach (PoolShare other in _shares)
        {
            if (other.Places > largest.Places)
            {
                largest = other;
            }
        }

        return largest.Places - places >= share.Places + places;
    }

    // The caller must hold _gate.
    private void Change(PoolShare share, int places)
    {
        if (places == 0)
        {
            return;
        }

        if (share.Places == 0)
        {
            share.Index = _shares.Count;
            _shares.Add(share);
        }

        share.Places += places;
        Volatile.Write(ref _taken, _taken + places);
        if (share.Places == 0)
        {
            PoolShare last = _shares[^1];
            _shares[share.Index] = last;
            last.Index = share.Index;
            _shares.RemoveAt(_shares.Count - 1);
        }
    }
}
