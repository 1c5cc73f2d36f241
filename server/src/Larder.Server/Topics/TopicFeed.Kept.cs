namespace Larder.Server.Topics;

/// <summary>
/// What a feed keeps: a ring of events by index. Writers hold the feed's lock; readers look without one: an event does not change, and its index says whether
/// it is the one that was looked for.
/// </summary>
internal sealed partial class TopicFeed
{
    // Most topics are small; a ring of 1,024 takes 8 KB, which are counted with the messages in it.
    private const int SmallestRing = 8;

    private TopicEvent?[] _ring = new TopicEvent?[SmallestRing];

    // The newest event; 0: there was none.
    private long _newestIndex;

    // The oldest that is there, and the oldest that may be resumed at: what only readers that are behind may still get lies between.
    private long _oldest = 1;
    private long _keptFrom = 1;
    private long _keptBytes;
    private long _heldBytes;
    private long _total;

    /// <summary>The index of the newest event; 0: there was none.</summary>
    public long NewestIndex => Volatile.Read(ref _newestIndex);

    /// <summary>The event of an index; null where it is not there any more, or not yet.</summary>
    public TopicEvent? Find(long index)
    {
        TopicEvent?[] ring = Volatile.Read(ref _ring);
        TopicEvent? found = Volatile.Read(ref ring[index & (ring.Length - 1)]);
        return found?.Index == index ? found : null;
    }

    /// <summary>Lets go of the older half of what it keeps, and of all where that is one message: how many messages that was, and what they held.</summary>
    public (long Messages, long Bytes) GiveUpHalf()
    {
        lock (_lock)
        {
            long before = _oldest;
            long bytes = DropUpTo(_oldest + ((_newestIndex - _oldest + 1) / 2) - (_newestIndex == _oldest ? 0 : 1));
            Shrink();
            return (_oldest - before, bytes);
        }
    }

    /// <summary>Lets go of what only readers that are behind could still get, as far as none is.</summary>
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

    // Under the lock.
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

    // Under the lock. What they held.
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

    // Under the lock.
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

    // Under the lock. Readers see the old ring or the new one, with the same events.
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
