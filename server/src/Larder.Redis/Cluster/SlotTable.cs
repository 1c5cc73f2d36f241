namespace Larder.Redis;

/// <summary>The node of each slot. Any thread can read the table while it is changed. During a change, a slot has either the old or the new node.</summary>
internal sealed class SlotTable
{
    private readonly RedisNode?[] _masters = new RedisNode?[KeySlot.Count];

    /// <summary>Gets the master of a slot; null if unknown.</summary>
    public RedisNode? this[int slot] => Volatile.Read(ref _masters[slot]);

    /// <summary>Gets the number of slots with a known master.</summary>
    public int Covered => _masters.Count(static master => master is not null);

    /// <summary>Assigns one slot to another master. Returns false if the slot already belonged to that master.</summary>
    public bool Move(int slot, RedisNode master) => Interlocked.Exchange(ref _masters[slot], master) != master;

    /// <summary>Replaces the whole table. Slots outside all ranges then have no master. Returns the number of slots whose master has changed.</summary>
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

    /// <summary>
    /// Returns the first slot of a master. The search starts at <paramref name="from"/> and wraps around. Returns -1 if the master has no slot.
    /// </summary>
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
