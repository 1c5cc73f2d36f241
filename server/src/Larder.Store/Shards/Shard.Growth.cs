namespace Larder.Store;

/// <summary>
/// Replacing the index by a larger or smaller one, a few groups at a time. Readers stay with the old table until the new one is whole; what
/// changes in a group that was copied already is done to both.
/// </summary>
internal sealed unsafe partial class Shard
{
    // Of 8 slots each: a table is copied within one write for each 256 of its slots, which add 0.4 % to the 90 % in use at most; 96 % may be.
    private const uint GroupsPerWrite = 32;

    private IndexTable* _next;
    private uint _copiedGroups;

    /// <summary>Makes sure that an entry more fits the index; false where it is full and the system refuses the memory for a larger one.</summary>
    private bool EnsureIndexRoom()
    {
        if (_next != null)
        {
            CopyGroups(_entries + 1 > Index->Slots * UtmostLoad ? uint.MaxValue : GroupsPerWrite);
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
            // Memory is short: the writes that follow free what the larger table needs, a little each.
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
            // Refused memory leaves the table as it is, until the next time.
            _ = BeginCopy(Math.Max(MinGroups, (uint)(_entries / (IndexTable.SlotsPerGroup * MaxLoad / Growth)) + 1));
        }
    }

    /// <summary>False, with nothing changed, where the system refuses the memory.</summary>
    private bool BeginCopy(uint groups)
    {
        _next = IndexTable.TryCreate(_parts.Pages, groups);
        _copiedGroups = 0;
        _tableBytes += _next == null ? 0 : IndexTable.BytesFor(groups) - IndexTable.BytesFor(Index->Groups);
        return _next != null;
    }

    private void CopyGroups(uint groups)
    {
        if (_entries + 1 > _next->Slots * UtmostLoad)
        {
            GiveUpCopy();
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

    // Of a smaller table, for which too much came meanwhile. No reader has seen it.
    private void GiveUpCopy()
    {
        _tableBytes += IndexTable.BytesFor(Index->Groups) - IndexTable.BytesFor(_next->Groups);
        IndexTable.Destroy(_parts.Pages, _next);
        _next = null;
    }

    /// <summary>
    /// Takes the tables that readers have left. Their memory is the caller's to give back; that of many entries takes the system some milliseconds.
    /// </summary>
    /// <returns>False: these were all.</returns>
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
