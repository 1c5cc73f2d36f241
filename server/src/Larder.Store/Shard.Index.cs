using System.Numerics;

namespace Larder.Store;

/// <summary>Where a key's entry is: the table, its growth, and the search in it.</summary>
internal sealed unsafe partial class Shard
{
    private const uint MinGroups = 4;

    // Above this share of slots in use, too many entries stand outside their home group.
    private const double MaxLoad = 0.87;

    // A table that has to wait for memory to grow fills up to this.
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
        var table = Index;
        uint group = IndexTable.Home(table, hash);
        while (true)
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

            if (!IndexTable.PassedOver(table, group))
            {
                entry = null;
                return null;
            }

            group = IndexTable.After(table, group);
        }
    }

    private void EnsureIndexRoom()
    {
        if (_entries + 1 <= Index->Slots * MaxLoad)
        {
            return;
        }

        uint groups = (uint)(Index->Groups * Growth) + 1;
        long more = IndexTable.BytesFor(groups) - IndexTable.BytesFor(Index->Groups);
        _reservedForIndex = 0;
        if (AvailableSegments() < LowWater + (more / _heap.SegmentBytes) + 1 && _entries + 1 <= Index->Slots * UtmostLoad)
        {
            // Memory is short: the writes that follow free what the larger table needs, a little each.
            _reservedForIndex = more;
            return;
        }

        Rebuild(groups);
    }

    private void ShrinkIndex()
    {
        if (Index->Groups > MinGroups && _entries < Index->Slots * MinLoad)
        {
            Rebuild(Math.Max(MinGroups, (uint)(_entries / (IndexTable.SlotsPerGroup * MaxLoad / Growth)) + 1));
        }
    }

    private void Rebuild(uint groups)
    {
        IndexTable* old = Index;
        IndexTable* table = IndexTable.Create(groups);
        ulong* word = IndexTable.GroupAt(old, 0);
        for (ulong* end = word + old->Slots; word < end; word++)
        {
            if (*word != 0)
            {
                IndexTable.Insert(table, *word);
            }
        }

        Index = table;
        _tableBytes += IndexTable.BytesFor(groups);
        _retiredTables.Add(((nint)old, _parts.Epochs.Unlinked()));
        _parts.Epochs.Advance();
        FreeRetiredTables();
    }

    private void FreeRetiredTables()
    {
        for (int i = _retiredTables.Count - 1; i >= 0; i--)
        {
            (nint table, long epoch) = _retiredTables[i];
            if (epoch <= _parts.Epochs.Safe)
            {
                _tableBytes -= IndexTable.BytesFor(((IndexTable*)table)->Groups);
                IndexTable.Destroy((IndexTable*)table);
                _retiredTables.RemoveAt(i);
            }
        }
    }
}
