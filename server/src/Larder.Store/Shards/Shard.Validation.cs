namespace Larder.Store;

/// <summary>The memory statistics of a shard, and the check of its invariants for tests.</summary>
internal sealed unsafe partial class Shard
{
    public ShardMemory Memory
    {
        get
        {
            lock (_lock)
            {
                long idle = _heap.HeldBytes - LiveBytes + _blocks.HeldBytes - _linkedBytes;
                return new ShardMemory(HeldBytes, idle, _tableBytes);
            }
        }
    }

    /// <summary>Throws if the index, the segments, the wheel or the accounts are inconsistent.</summary>
    public void AssertValid()
    {
        lock (_lock)
        {
            long entries = 0;
            Span<long> live = stackalloc long[3];
            var usage = new SpaceUsage[_usage.Length];
            long held = 0;
            for (int number = 1; number < _heap.Numbered; number++)
            {
                Segment segment = _heap[number];
                held += segment.CapacityBytes;
                if (segment.State is SegmentState.Open or SegmentState.Sealed or SegmentState.Victim)
                {
                    entries += AssertSegment(number, usage);
                    live[(int)segment.Queue] += segment.LiveBytes;
                }
            }

            Invariant.Holds(held == _heap.HeldBytes, "the memory held is that of the segments");
            Invariant.Holds(entries == _entries, "every entry is in the index");
            Invariant.Holds(_wheel.AssertValid() == entries, "every entry hangs in the wheel");
            Invariant.Holds(_usage.AsSpan().SequenceEqual(usage), "the accounts by cache match the entries");
            Invariant.Holds(HeldBytes - _heap.RetiredBytes <= _maxBytes, "the memory limit holds, but for what waits for readers");
            AssertCopy();
            AssertCollections();
            for (int queue = 0; queue < 3; queue++)
            {
                Invariant.Holds(live[queue] == _queues[queue].LiveBytes, "a queue's bytes match its segments");
                AssertQueue(queue);
            }
        }
    }

    private long AssertSegment(int number, SpaceUsage[] usage)
    {
        Segment segment = _heap[number];
        int live = 0;
        int entries = 0;
        int offset = 0;
        while (offset < segment.UsedBytes)
        {
            EntryHeader* entry = _heap.EntryIn(number, offset);
            uint address = _heap.AddressOf(number, offset);
            if (!entry->Dead)
            {
                uint hash = _parts.Spaces[entry->SpaceId].Cache.HashOf(EntryHeader.Key(entry));
                IndexTable.SlotOf(Index, IndexTable.Word(hash, address));
                Invariant.Holds(!entry->Locked, "no entry is left locked");
                live += EntryHeader.SizeOf(entry);
                entries++;
                ref SpaceUsage sum = ref usage[entry->SpaceId];
                sum.Entries++;
                sum.Bytes += PayloadBytes(entry);
                sum.ChargedBytes += ChargedBytes(entry);
            }

            offset += EntryHeader.SizeOf(entry);
        }

        Invariant.Holds(offset == segment.UsedBytes && offset <= segment.CapacityBytes, "entries fill their segment without gaps");
        Invariant.Holds(live == segment.LiveBytes, "a segment's live bytes match its entries");
        Invariant.Holds(live > 0 || segment.State != SegmentState.Sealed, "a sealed segment without live entries is retired");
        return entries;
    }

    /// <summary>Checks that the new index contains exactly the words that were copied.</summary>
    private void AssertCopy()
    {
        if (_next == null)
        {
            return;
        }

        long copied = 0;
        for (uint at = 0; at < Index->Slots; at++)
        {
            ulong word = IndexTable.GroupAt(Index, 0)[at];
            if (word != 0 && IsCopied(at / IndexTable.SlotsPerGroup))
            {
                IndexTable.SlotOf(_next, word);
                copied++;
            }
        }

        for (uint at = 0; at < _next->Slots; at++)
        {
            copied -= IndexTable.GroupAt(_next, 0)[at] != 0 ? 1 : 0;
        }

        Invariant.Holds(copied == 0, "the next index holds what was copied, and nothing else");
    }

    private void AssertQueue(int queue)
    {
        int older = 0;
        for (int number = _queues[queue].Oldest; number != 0; older = number, number = _heap[number].Younger)
        {
            Invariant.Holds(_heap[number].Older == older, "the queue's links agree");
            Invariant.Holds(_heap[number].Queue == (QueueKind)queue, "a segment is in the queue it names");
            Invariant.Holds(_heap[number].State is SegmentState.Open or SegmentState.Sealed, "only open and sealed segments are queued");
        }

        Invariant.Holds(_queues[queue].Youngest == older, "the youngest segment ends the queue");
    }
}
