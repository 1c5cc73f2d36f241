using System.Numerics;

namespace Larder.Store;

/// <summary>Where a key's entry is: the table, its growth, and the search in it.</summary>
internal sealed unsafe partial class Shard
{
    private const uint MinGroups = 4;

    // Above this share of slots in use, too many entries stand outside their home group.
    private const double MaxLoad = 0.87;

    // A table that has to wait for memory to grow fills up to this; where the system refuses it, entries are evicted. Paths are 8 groups here
    // when entries have come and gone for long, and endless at 96 % (ADR-0063).
    private const double FullLoad = 0.90;

    // A table that is being copied fills up to this; then it is copied to the end at once.
    private const double UtmostLoad = 0.96;

    // Small steps: a table just grown is 70 % full, so that the index costs 9 to 12 bytes an entry.
    private const double Growth = 1.25;

    // Under this share of slots in use the table is rebuilt smaller.
    private const double MinLoad = 0.3;

    private readonly List<(nint Table, long Epoch)> _retiredTables = [];

    // The table's address: published with a volatile write, so that a reader finds a whole table behind it.
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
