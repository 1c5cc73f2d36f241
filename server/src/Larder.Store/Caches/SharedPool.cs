namespace Larder.Store;

/// <summary>
/// A bounded number of places that the caches of a store share. A cache may take all of them while no other cache wants any. At the bound, the cache with the
/// most places gives some up for a cache that has fewer, so that with n caches each is sure of its equal share: 1/n of the bound. Safe from any thread.
/// </summary>
/// <param name="max">The most places that all caches together take with <see cref="Take"/>.</param>
internal sealed class SharedPool(int max)
{
    private readonly Lock _gate = new();

    // Under the gate: the shares that have a place, in no order; each knows its index.
    private readonly List<PoolShare> _shares = [];
    private int _taken;

    /// <summary>Places that are taken.</summary>
    public int Taken => Volatile.Read(ref _taken);

    /// <summary>
    /// Takes places, from the largest share if none are free. Call it without holding a lock that <see cref="PoolShare.GiveUp"/> takes, of any share.
    /// </summary>
    /// <param name="share">Whose they are to be.</param>
    /// <param name="places">How many: 1 or more.</param>
    /// <returns>How many it got: fewer than it asked for if no other share is larger than this one would be.</returns>
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
                // Its places are about to be filled or given back. Do not wait for that.
                return places - missing;
            }

            lock (_gate)
            {
                // Handed over, so that no third share can take them.
                Change(largest, -given);
                Change(share, given);
                missing -= given;
            }
        }
    }

    /// <summary>Takes places whatever the bound.</summary>
    public void TakeBeyond(PoolShare share, int places)
    {
        lock (_gate)
        {
            Change(share, places);
        }
    }

    /// <summary>Gives places back.</summary>
    public void GiveBack(PoolShare share, int places)
    {
        lock (_gate)
        {
            Change(share, -places);
        }
    }

    // Under the gate. The larger one is still no smaller than the other after the change, so that two shares never take from each other in turn.
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

    // Under the gate.
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
