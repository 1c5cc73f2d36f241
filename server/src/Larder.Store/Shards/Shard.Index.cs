using System.Numerics;

namespace Larder.Store;

/// <summary>The index of a shard: its table, its limits, and the search.</summary>
internal sealed unsafe partial class Shard
{
    private const uint MinGroups = 4;

    // Above this load, too many entries are outside their home group.
    private const double MaxLoad = 0.87;

    // A table that waits for memory to grow fills up to this load. If the operating system refuses the memory, entries are evicted. After many additions and
    // removals paths are 8 groups long at this load, and endless at 96 % (ADR-0063).
    private const double FullLoad = 0.90;

    // A table that is being copied fills up to this load; then the copy is completed at once.
    private const double HardMaxLoad = 0.96;

    // Small steps: a table that has just grown is at 70 % load, so the index costs 9 to 12 bytes per entry.
    private const double Growth = 1.25;

    // Below this load the table is rebuilt smaller.
    private const double MinLoad = 0.3;

    private readonly List<(nint Table, long Epoch)> _retiredTables = [];

    // The table's address. Published with a volatile write, so that readers see a completely initialized table.
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
