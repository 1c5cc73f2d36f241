using System.Numerics;

namespace Larder.Store;

/// <summary>The index of a shard: its table, its limits, and the search.</summary>
internal sealed unsafe partial class Shard
{
    private const uint MinGroups = 4;

    // The load at which the table grows. At a higher load, too many entries would be outside their home group.
    private const double MaxLoad = 0.87;

    // The maximum load of a table that cannot grow yet, because too little memory is available. If the operating system refuses the memory, entries are
    // evicted. After many additions and removals, the paths are 8 groups long at this load, and pass through the whole table at 96 % (ADR-0063).
    private const double FullLoad = 0.90;

    // The maximum load of a table that is being copied. When this load is reached, all remaining groups are copied immediately.
    private const double HardMaxLoad = 0.96;

    // The growth factor. It is small: after growing, a table has a load of 70 %, so the index needs 9 to 12 bytes per entry.
    private const double Growth = 1.25;

    // The load below which the table is replaced by a smaller one.
    private const double MinLoad = 0.3;

    private readonly List<(nint Table, long Epoch)> _retiredTables = [];

    // The table's address. It is published with a volatile write, so that readers see a completely initialized table.
    private nint _published;
    private long _entries;
    private long _tableBytes;
    private long _reservedForIndex;

    private IndexTable* Index
    {
        get => (IndexTable*)Volatile.Read(ref _published);
        set => Volatile.Write(ref _published, (nint)value);
    }

    private ulong* FindSlot(uint hash, int spaceId, ReadOnlySpan<byte> key, out EntryHeader* entry)
    {
        IndexTable* table = Index;
        uint group = IndexTable.Home(table, hash);
        uint step = 0;
        do
        {
            ulong* slots = IndexTable.GroupAt(table, group);
            for (uint candidates = IndexTable.Candidates(slots, hash); candidates != 0; candidates &= candidates - 1)
            {
                ulong* slot = slots + BitOperations.TrailingZeroCount(candidates);
                ulong word = Volatile.Read(ref *slot);
                if (IndexTable.HashOf(word) != hash || word >> 32 == 0)
                {
                    continue;
                }

                entry = _heap.EntryAt(IndexTable.AddressOf(word));
                if (entry->KeyLength == key.Length && entry->SpaceId == spaceId && EntryHeader.Key(entry).SequenceEqual(key))
                {
                    return slot;
                }
            }
        }
        while (IndexTable.TryNext(table, hash, ref group, ref step));

        entry = null;
        return null;
    }
}
