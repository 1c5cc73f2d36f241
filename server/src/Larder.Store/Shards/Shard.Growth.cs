namespace Larder.Store;

/// <summary>
/// Replaces the index by a larger or smaller one, a few groups at a time. Readers use the old table until the new one is complete. Changes in a group that has
/// already been copied are applied to both tables.
/// </summary>
internal sealed unsafe partial class Shard
{
    // The number of groups that each write copies. With 8 slots per group, a copy is complete after one write per 256 slots of the table. The load of the table
    // is at most 90 %, and writes during the copy add at most 0.4 %. This is below the maximum load during a copy, which is 96 %.
    private const uint GroupsPerWrite = 32;

    private IndexTable* _next;
    private uint _copiedGroups;

    /// <summary>
    /// Ensures that the index has space for one more entry. Returns false if the index is full and the operating system refuses the memory for a larger one.
    /// </summary>
    private bool EnsureIndexCapacity()
    {
        if (_next != null)
        {
            CopyGroups(_entries + 1 > Index->Slots * HardMaxLoad ? uint.MaxValue : GroupsPerWrite);
        }

        return _next != null || _entries + 1 <= Index->Slots * MaxLoad || GrowIndex();
    }

    private bool GrowIndex()
    {
        uint groups = (uint)(Index->Groups * Growth) + 1;
        long more = IndexTable.BytesFor(groups) - IndexTable.BytesFor(Index->Groups);
        bool full = _entries + 1 > Index->Slots * FullLoad;
        _reservedForIndex = 0;
        if (!full && AvailableSegments() < LowWater + (more / _heap.SegmentBytes) + 1)
        {
            // Memory is low. Each of the next writes frees a part of the memory that the larger table needs.
            _reservedForIndex = more;
        }
        else if (BeginCopy(groups))
        {
            CopyGroups(GroupsPerWrite);
        }
        else
        {
            return !full;
        }

        return true;
    }

    private void ShrinkIndex()
    {
        if (_next == null && Index->Groups > MinGroups && _entries < Index->Slots * MinLoad)
        {
            // If the memory is refused, the table is not changed, and the next run retries.
            _ = BeginCopy(Math.Max(MinGroups, (uint)(_entries / (IndexTable.SlotsPerGroup * MaxLoad / Growth)) + 1));
        }
    }

    /// <summary>Starts the copy to a new table. Returns false, and changes nothing, if the operating system refuses the memory.</summary>
    private bool BeginCopy(uint groups)
    {
        _next = IndexTable.TryCreate(_parts.Pages, groups);
        _copiedGroups = 0;
        _tableBytes += _next == null ? 0 : IndexTable.BytesFor(groups) - IndexTable.BytesFor(Index->Groups);
        return _next != null;
    }

    private void CopyGroups(uint groups)
    {
        if (_entries + 1 > _next->Slots * HardMaxLoad)
        {
            AbandonCopy();
            return;
        }

        IndexTable* old = Index;
        uint end = (uint)Math.Min(old->Groups, (ulong)_copiedGroups + groups);
        ulong* word = IndexTable.GroupAt(old, _copiedGroups);
        for (ulong* last = IndexTable.GroupAt(old, end); word < last; word++)
        {
            if (*word != 0)
            {
                IndexTable.Insert(_next, *word);
            }
        }

        _work += (end - _copiedGroups) * IndexTable.SlotsPerGroup;
        _copiedGroups = end;
        if (end == old->Groups)
        {
            Index = _next;
            _next = null;
            _retiredTables.Add(((nint)old, _parts.Epochs.Unlinked()));
            _parts.Epochs.Advance();
        }
    }

    // Abandons the copy to a smaller table, because too many entries were added during the copy. Readers have not used the new table.
    private void AbandonCopy()
    {
        _tableBytes += IndexTable.BytesFor(Index->Groups) - IndexTable.BytesFor(_next->Groups);
        IndexTable.Destroy(_parts.Pages, _next);
        _next = null;
    }

    /// <summary>
    /// Removes the retired tables that no longer have readers. The caller must free their memory, which can take the operating system several milliseconds for
    /// large tables.
    /// </summary>
    /// <returns>Always false, which means that no further call is needed. One call removes all retired tables that have no readers.</returns>
    private bool TakeRetiredTables(List<PageBlock> taken)
    {
        for (int i = _retiredTables.Count - 1; i >= 0; i--)
        {
            (nint table, long epoch) = _retiredTables[i];
            if (epoch <= _parts.Epochs.Safe)
            {
                taken.Add(IndexTable.BlockOf((IndexTable*)table));
                _retiredTables.RemoveAt(i);
            }
        }

        return false;
    }

    private void AddWord(ulong word)
    {
        uint group = IndexTable.Insert(Index, word);
        _entries++;
        if (IsCopied(group))
        {
            IndexTable.Insert(_next, word);
        }
    }

    private void ReplaceWord(ulong* slot, ulong word)
    {
        if (IsCopied(IndexTable.GroupOf(Index, slot)))
        {
            *IndexTable.SlotOf(_next, *slot) = word;
        }

        Volatile.Write(ref *slot, word);
    }

    private void RemoveWord(ulong* slot)
    {
        if (IsCopied(IndexTable.GroupOf(Index, slot)))
        {
            IndexTable.Remove(_next, IndexTable.SlotOf(_next, *slot));
        }

        IndexTable.Remove(Index, slot);
        _entries--;
    }

    private bool IsCopied(uint group) => _next != null && group < _copiedGroups;
}
