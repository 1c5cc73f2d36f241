namespace Larder.Store;

/// <summary>Writes, moves and removes entries, and updates the accounts.</summary>
internal sealed unsafe partial class Shard
{
    private readonly int[] _open = new int[2];
    private readonly SegmentQueue[] _queues = new SegmentQueue[3];
    private long _singles;

    /// <summary>Stores a value: in place if the existing value is overwritable and has the same length, otherwise as a new entry.</summary>
    /// <param name="space">The key's space.</param>
    /// <param name="hash">The key's hash.</param>
    /// <param name="slot">The slot of the existing entry, whose lock the caller holds; null if there is no existing entry.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value. The span may refer to the memory of the existing entry.</param>
    /// <param name="expiresAtMs">The expiry time.</param>
    /// <param name="type">The type of the item. A collection's value is the pointer to its root.</param>
    /// <param name="tail">The entry's tail; empty if there is no tail.</param>
    private void Write(
        Space space,
        uint hash,
        ulong* slot,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long expiresAtMs,
        ItemType type,
        ReadOnlySpan<byte> tail = default)
    {
        if (space.Dead)
        {
            return;
        }

        uint oldAddress = slot == null ? 0 : IndexTable.AddressOf(*slot);
        EntryHeader* old = slot == null ? null : _heap.EntryAt(oldAddress);
        if (old != null && tail.IsEmpty && old->ValueLength == value.Length && !old->IsFixed && old->CanChange)
        {
            Change(old, oldAddress, expiresAtMs, value);
            EntryHeader.Touch(old);
            return;
        }

        WriteAnew(space, hash, slot, key, value, expiresAtMs, type, tail);
    }

    /// <summary>Stores a value as a new entry. Replaces the existing entry if there is one.</summary>
    private void WriteAnew(
        Space space,
        uint hash,
        ulong* slot,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long expiresAtMs,
        ItemType type,
        ReadOnlySpan<byte> tail = default)
    {
        uint oldAddress = slot == null ? 0 : IndexTable.AddressOf(*slot);
        EntryHeader* old = slot == null ? null : _heap.EntryAt(oldAddress);
        QueueKind queue = old == null ? QueueOfNew(hash) : QueueOf(oldAddress);
        byte frequency = old == null ? (byte)0 : old->Frequency;
        ulong word = IndexTable.Word(hash, Place(queue, space, expiresAtMs, frequency, key, value, isFixed: old == null, type, tail));
        if (old == null)
        {
            AddWord(word);
        }
        else
        {
            ReplaceWord(slot, word);
            _wheel.Remove(old);
            Leave(old, type == old->Type ? value : default);
            MarkDead(old, oldAddress);
        }
    }

    /// <summary>Writes an entry and adds it to the wheel and the accounts, but not to the index.</summary>
    /// <returns>The address of the entry.</returns>
    private uint Place(
        QueueKind queue,
        Space space,
        long expiresAtMs,
        byte frequency,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        bool isFixed,
        ItemType type,
        ReadOnlySpan<byte> tail = default)
    {
        uint address = Append(queue, space.Id, EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        EntryHeader* entry = _heap.EntryAt(address);
        EntryHeader.Write(entry, space.Id, expiresAtMs, frequency, key, value, isFixed, type, tail);
        _wheel.Add(entry, address);
        Account(entry, 1);
        return address;
    }

    /// <summary>Changes an entry in place. The caller holds its lock.</summary>
    private void Change(EntryHeader* entry, uint address, long expiresAtMs, ReadOnlySpan<byte> value)
    {
        // The position of an entry in the wheel may be earlier than its expiry, but never later.
        bool sooner = expiresAtMs < entry->ExpiresAtMs;
        if (sooner)
        {
            _wheel.Remove(entry);
        }

        EntryHeader.Change(entry, expiresAtMs, value);
        if (sooner)
        {
            _wheel.Add(entry, address);
        }
    }

    /// <summary>Copies an entry to the newest end of a queue, at a new address. The caller holds the entry's lock.</summary>
    private void MoveTo(QueueKind queue, ulong* slot, EntryHeader* from, uint fromAddress, byte frequency)
    {
        uint address = Append(queue, from->SpaceId, EntryHeader.SizeOf(from));
        EntryHeader* to = _heap.EntryAt(address);
        EntryHeader.WriteCopy(to, from, frequency);
        _wheel.Move(from, to, address);
        ReplaceWord(slot, IndexTable.Word(IndexTable.HashOf(*slot), address));
        MarkDead(from, fromAddress);
    }

    /// <summary>Removes an entry whose lock the caller holds.</summary>
    private void Remove(ulong* slot, EntryHeader* entry, RemovalReason reason)
    {
        uint address = IndexTable.AddressOf(*slot);
        Count(_parts.Spaces[entry->SpaceId], entry, reason);
        RemoveWord(slot);
        _wheel.Remove(entry);
        Leave(entry, default);
        MarkDead(entry, address);
    }

    /// <summary>Counts a removed entry. An entry of a flushed cache is counted as flushed, regardless of the reason.</summary>
    private void Count(Space space, EntryHeader* entry, RemovalReason reason)
    {
        if (space.Dead)
        {
            reason = RemovalReason.Flushed;
            CountSwept(space, ChargedBytes(entry));
        }

        ref ShardCounters counters = ref CountersOf(space.Cache);
        switch (reason)
        {
            case RemovalReason.Expired:
                counters.Expired++;
                break;
            case RemovalReason.Flushed:
                counters.Flushed++;
                break;
            case RemovalReason.Memory:
                counters.EvictedForMemory++;
                break;
            case RemovalReason.Quota:
                counters.EvictedForQuota++;
                break;
        }
    }

    /// <summary>Removes an item from the accounts and frees the collection that it refers to, unless its replacement refers to the same collection.</summary>
    private void Leave(EntryHeader* entry, ReadOnlySpan<byte> replacement)
    {
        Account(entry, -1);
        if (entry->Type != ItemType.Scalar && !EntryHeader.Value(entry).SequenceEqual(replacement))
        {
            Leave(RootOf(entry));
        }
    }

    private void Account(EntryHeader* entry, int sign)
    {
        ref SpaceUsage usage = ref UsageOf(entry->SpaceId);
        usage.Entries += sign;
        usage.Bytes += sign * PayloadBytes(entry);
        usage.ChargedBytes += sign * ChargedBytes(entry);
        _linkedBytes += sign * (ChargedBytes(entry) - EntryHeader.SizeOf(entry));
        if (_parts.Spaces.HaveQuotas)
        {
            _parts.Spaces[entry->SpaceId].Charge(sign * ChargedBytes(entry));
        }
    }

    // Returns the size of the key and the value. The value of a collection is only a pointer to its root, so the size of the elements is used.
    private static long PayloadBytes(EntryHeader* entry) =>
        entry->KeyLength + (entry->Type == ItemType.Scalar ? entry->ValueLength : RootOf(entry)->PayloadBytes);

    private static long ChargedBytes(EntryHeader* entry) =>
        EntryHeader.SizeOf(entry) + (entry->Type == ItemType.Scalar ? 0 : RootOf(entry)->ChargedBytes);

    /// <summary>Marks an unreferenced entry as dead and releases its lock. If it was the last live entry of a sealed segment, retires the segment.</summary>
    private void MarkDead(EntryHeader* entry, uint address)
    {
        int number = _heap.SegmentOf(address);
        ref Segment segment = ref _heap[number];
        int size = EntryHeader.SizeOf(entry);
        EntryHeader.UnlockDead(entry);
        segment.LiveBytes -= size;
        _queues[(int)segment.Queue].LiveBytes -= size;
        if (segment.LiveBytes == 0 && segment.State == SegmentState.Sealed)
        {
            Unlink(number);
            Retire(number);
        }
    }

    private QueueKind QueueOf(uint address)
    {
        QueueKind queue = _heap[_heap.SegmentOf(address)].Queue;
        return queue == QueueKind.Probation ? QueueKind.Small : queue;
    }

    private uint Append(QueueKind queue, int spaceId, int size)
    {
        if (size > _heap.MaxSharedEntryBytes)
        {
            return AppendSingle(queue == QueueKind.Small ? QueueKind.Probation : queue, spaceId, size);
        }

        if (!HasRoomInOpen(queue, size) && !TryOpen(queue, size))
        {
            throw PageRegions.Refused(_heap.SegmentBytes);
        }

        int number = _open[(int)queue];
        ref Segment segment = ref _heap[number];
        int offset = segment.UsedBytes;
        segment.UsedBytes += size;
        segment.LiveBytes += size;
        segment.Spaces |= BitOf(spaceId);
        _queues[(int)queue].LiveBytes += size;
        return _heap.AddressOf(number, offset);
    }

    private uint AppendSingle(QueueKind queue, int spaceId, int size)
    {
        int number = _heap.TakeSingle(size);
        if (number == 0)
        {
            throw PageRegions.Refused(size);
        }

        ref Segment segment = ref _heap[number];
        segment.UsedBytes = segment.LiveBytes = size;
        segment.Serial = ++_singles;
        segment.Spaces = BitOf(spaceId);
        _queues[(int)queue].LiveBytes += size;
        LinkYoungest(number, queue);
        return _heap.AddressOf(number, 0);
    }

    /// <summary>
    /// Seals the open segment of a queue and opens a new segment. Returns false, and changes nothing, if the operating system refuses the memory.
    /// </summary>
    private bool TryOpen(QueueKind queue, int size)
    {
        int number = _heap.TakeShared(SizeToOpen(size));
        if (number == 0)
        {
            return false;
        }

        Seal(queue);
        LinkYoungest(number, queue);
        _open[(int)queue] = number;
        _openedSinceLook = true;
        return true;
    }

    // Uses a regular segment if memory is low, or if the entry would leave too much unused space at the end of a small segment.
    private int SizeToOpen(int size) => size > _heap.MaxSmallEntryBytes || AvailableSegments() < 2 * LowWater
        ? _heap.SegmentBytes
        : _heap.SizeToOpen(LiveBytes);

    private void Seal(QueueKind queue)
    {
        int number = _open[(int)queue];
        _open[(int)queue] = 0;
        if (number == 0)
        {
            return;
        }

        _heap[number].State = SegmentState.Sealed;
        if (_heap[number].LiveBytes == 0)
        {
            Unlink(number);
            Retire(number);
        }
    }

    private void LinkYoungest(int number, QueueKind queue)
    {
        ref SegmentQueue ends = ref _queues[(int)queue];
        ref Segment segment = ref _heap[number];
        segment.Queue = queue;
        segment.Younger = 0;
        segment.Older = ends.Youngest;
        if (ends.Youngest != 0)
        {
            _heap[ends.Youngest].Younger = number;
        }
        else
        {
            ends.Oldest = number;
        }

        ends.Youngest = number;
    }

    private void Unlink(int number)
    {
        ref Segment segment = ref _heap[number];
        ref SegmentQueue ends = ref _queues[(int)segment.Queue];
        if (segment.Older != 0)
        {
            _heap[segment.Older].Younger = segment.Younger;
        }
        else
        {
            ends.Oldest = segment.Younger;
        }

        if (segment.Younger != 0)
        {
            _heap[segment.Younger].Older = segment.Older;
        }
        else
        {
            ends.Youngest = segment.Older;
        }

        segment.Older = segment.Younger = 0;
    }
}
