namespace Larder.Server.Topics;

/// <summary>
/// The events that a feed keeps, in a ring indexed by event number. A writer must hold the feed's lock. Readers need no lock, because events are immutable and
/// a reader can check by the index of an event whether it is the requested event.
/// </summary>
internal sealed partial class TopicFeed
{
    // The initial size of the ring is small, because most topics are small. A ring of 1,024 slots takes 8 KB, which count towards the memory of its messages.
    private const int SmallestRing = 8;

    private TopicEvent?[] _ring = new TopicEvent?[SmallestRing];

    // The index of the newest event; 0 if the feed has had no event.
    private long _newestIndex;

    // The index of the oldest event in the ring, and the index of the oldest event that is kept for resuming. The events in between are kept only for readers
    // that are behind.
    private long _oldest = 1;
    private long _keptFrom = 1;
    private long _keptBytes;
    private long _heldBytes;
    private long _total;

    /// <summary>Gets the index of the newest event; 0 if the feed has had no event.</summary>
    public long NewestIndex => Volatile.Read(ref _newestIndex);

    /// <summary>Returns the event with the given index; null if it was dropped or does not exist yet.</summary>
    public TopicEvent? Find(long index)
    {
        TopicEvent?[] ring = Volatile.Read(ref _ring);
        TopicEvent? found = Volatile.Read(ref ring[index & (ring.Length - 1)]);
        return found?.Index == index ? found : null;
    }

    /// <summary>Drops the older half of the kept messages, or the only message. Returns the number of dropped messages and their memory.</summary>
    public (long Messages, long Bytes) DropOlderHalf()
    {
        lock (_lock)
        {
            long before = _oldest;
            long bytes = DropUpTo(_oldest + ((_newestIndex - _oldest + 1) / 2) - (_newestIndex == _oldest ? 0 : 1));
            Shrink();
            return (_oldest - before, bytes);
        }
    }

    /// <summary>Drops the events that are kept only for readers that are behind, except for the events that such a reader can still receive.</summary>
    public void Trim()
    {
        lock (_lock)
        {
            if (_oldest < _keptFrom)
            {
                long slowest = _readers.Count == 0 ? long.MaxValue : _readers.Min(static each => each.NextIndex);
                DropUpTo(Math.Min(slowest, _keptFrom) - 1);
            }
        }
    }

    // The caller must hold the lock.
    private void Put(TopicEvent added)
    {
        if (_newestIndex < _oldest)
        {
            _share.Memory.Join(_share, _keptPlace);
        }
        else if (_newestIndex - _oldest + 2 > _ring.Length)
        {
            Resize(_ring.Length * 2);
        }

        Volatile.Write(ref _ring[added.Index & (_ring.Length - 1)], added);
        Volatile.Write(ref _newestIndex, added.Index);
        _keptBytes += added.ValueBytes;
        _heldBytes += added.ValueBytes;
        while (_keptFrom < added.Index && (added.Index - _keptFrom + 1 > TopicLimits.KeptMessages || _keptBytes > TopicLimits.KeptBytes))
        {
            _keptBytes -= BytesAt(_keptFrom++);
        }

        long queued = _readers.Count == 0 ? _keptFrom : added.Index - TopicLimits.QueuedMessages + 1;
        while (_oldest < _keptFrom && (_oldest < queued || _heldBytes > TopicLimits.QueuedBytes))
        {
            DropUpTo(_oldest);
        }
    }

    // The caller must hold the lock. Returns the memory of the dropped events.
    private long DropUpTo(long index)
    {
        long bytes = 0;
        long last = Math.Min(index, _newestIndex);
        bool leaves = _oldest <= last && last == _newestIndex;
        for (; _oldest <= last; _oldest++)
        {
            ref TopicEvent? place = ref _ring[_oldest & (_ring.Length - 1)];
            TopicEvent dropped = place!;
            Volatile.Write(ref place, null);
            _heldBytes -= dropped.ValueBytes;
            bytes += dropped.HeldBytes;
            if (_oldest >= _keptFrom)
            {
                _keptFrom = _oldest + 1;
                _keptBytes -= dropped.ValueBytes;
            }
        }

        _share.Give(bytes);
        if (leaves)
        {
            _share.Memory.Leave(_share, _keptPlace);
        }

        return bytes;
    }

    private int BytesAt(long index) => Find(index)!.ValueBytes;

    // The caller must hold the lock.
    private void Shrink()
    {
        int length = _ring.Length;
        while (length > SmallestRing && _newestIndex - _oldest + 1 <= length / 4)
        {
            length /= 2;
        }

        if (length < _ring.Length)
        {
            Resize(length);
        }
    }

    // The caller must hold the lock. Readers use either the old ring or the new ring, which contain the same events.
    private void Resize(int length)
    {
        TopicEvent?[] other = new TopicEvent?[length];
        for (long index = _oldest; index <= _newestIndex; index++)
        {
            other[index & (length - 1)] = Find(index);
        }

        Volatile.Write(ref _ring, other);
    }
}
