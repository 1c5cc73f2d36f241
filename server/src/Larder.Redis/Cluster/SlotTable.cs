namespace Larder.Redis;

/// <summary>Which node has which slot. Read by any thread while it is changed: a slot is the old node's or the new one's.</summary>
internal sealed class SlotTable
{
    private readonly RedisNode?[] _masters = new RedisNode?[KeySlot.Count];

    /// <summary>The master of a slot; null where it is not known.</summary>
    public RedisNode? this[int slot] => Volatile.Read(ref _masters[slot]);

    /// <summary>Slots that have a master.</summary>
    public int Covered => _masters.Count(static master => master is not null);

    /// <summary>One slot has moved. False where it was there already.</summary>
    public bool Move(int slot, RedisNode master) => Interlocked.Exchange(ref _masters[slot], master) != master;

    /// <summary>All of them anew; slots that no range names have no master. Returns how many have another than before.</summary>
    public int Replace(IEnumerable<(int First, int Last, RedisNode Master)> ranges)
    {
        int changed = 0;
        var next = new RedisNode?[KeySlot.Count];
        foreach ((int first, int last, RedisNode master) in ranges)
        {
            next.AsSpan(first, last - first + 1).Fill(master);
        }

        for (int slot = 0; slot < next.Length; slot++)
        {
            changed += next[slot] != _masters[slot] ? 1 : 0;
            Volatile.Write(ref _masters[slot], next[slot]);
        }

        return changed;
    }

    /// <summary>A slot of this master, the first from <paramref name="from"/> on, round; -1 where it has none.</summary>
    public int FirstOf(RedisNode master, int from)
    {
        for (int step = 0; step < _masters.Length; step++)
        {
            int slot = (from + step) % _masters.Length;
            if (this[slot] == master)
            {
                return slot;
            }
        }

        return -1;
    }
}
