namespace Larder.Redis;

/// <summary>Which node has which slot. Read by any thread while it is changed: a slot is the old node's or the new one's.</summary>
internal sealed class SlotTable
{
    private readonly RedisNode?[] _masters = new RedisNode?[KeySlot.Count];

    /// <summary>The master of a slot; null where it is not known.</summary>
    public RedisNode? this[int slot] => Volatile.Read(ref _masters[slot]);

    /// <summary>Slots that have a master.</summary>
    public int Covered => _masters.Count(static master => master is not null);

    /// <summary>One slot has moved.</summary>
    public void Move(int slot, RedisNode master) => Volatile.Write(ref _masters[slot], master);

    /// <summary>All of them anew; slots that no range names have no master.</summary>
    public void Replace(IEnumerable<(int First, int Last, RedisNode Master)> ranges)
    {
        var next = new RedisNode?[KeySlot.Count];
        foreach ((int first, int last, RedisNode master) in ranges)
        {
            next.AsSpan(first, last - first + 1).Fill(master);
        }

        for (int slot = 0; slot < next.Length; slot++)
        {
            Volatile.Write(ref _masters[slot], next[slot]);
        }
    }
}
