namespace Larder.Server.Topics;

/// <summary>
/// The events kept by a feed: a ring indexed by event number. Writers hold the feed's lock. Readers need no lock: events are immutable, and a reader
/// detects by its index whether an event is the one it wants.
/// </summary>
internal sealed partial class TopicFeed
{
    // Most topics are small. A ring of 1,024 slots takes 8 KB, which are accounted with its messages.
    private const int SmallestRing = 8;

    private TopicEvent?[] _ring = new TopicEvent?[SmallestRing];

    // The index of the newest event; 0 if there was none.
    private long _newestIndex;

    // The oldest event in the ring, and the oldest one for resuming. Events in between are only for readers that are behind.
    private long _oldest = 1;
    private long _keptFrom = 1;
    private long _keptBytes;
    private long _heldBytes;
    private long _total;

    /// <summary>Gets the index of the newest event; 0 if there was none.</summary>
    public long NewestIndex => Volatile.Read(ref _newestIndex);

    /// <summary>Returns the event with an index; null if it was dropped or does not exist yet.</summary>
    public TopicEvent? Find(long index)
    {
        TopicEvent?[] ring = Volatile.Read(ref _ring);
        TopicEvent? found = Volatile.Read(ref ring[index & (ring.Length - 1)]);
        return found?.Index == index ? found : null;
    }

    /// <summary>Drops the older half of the kept messages, or the only one. Returns the number of messages dropped and their memory.</summary>
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

    /// <summary>Drops the events that only readers that are behind could still receive, as far as there are no such readers.</summary>
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

    // Requires the lock.
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

    // Requires the lock. Returns the memory of the dropped events.
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

    // Requires the lock.
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

    // Requires the lock. Readers see either the old ring or the new one, which contain the same events.
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
