using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// A topic as its subscribers see it: the messages that are kept, in their order, each encoded once, and who follows them. Its broker appends; readers go
/// through what is there by index, each at its own pace, and hold nothing themselves. Safe from any thread.
/// </summary>
/// <remarks>
/// What is appended is offered to the connections by one work item of the thread pool at a time, and all that is appended meanwhile by the next: a burst
/// costs one round. A publisher that is ahead of the rounds waits for one (<see cref="WaitForRoundAsync"/>), so that readers miss nothing by the server's
/// own doing; a round waits for no reader.
/// </remarks>
internal sealed partial class TopicFeed
{
    private readonly Lock _lock = new();
    private readonly TopicLimits _limits;
    private readonly TopicShare _share;
    private readonly TimeProvider _time;
    private readonly LinkedListNode<TopicFeed> _place;
    private readonly LinkedListNode<TopicFeed> _keptPlace;
    private readonly HashSet<TopicReader> _readers = [];
    private TopicPosition _newest;
    private long _usedAt;
    private long _messages;
    private long _messageBytes;
    private long _endedDeliveries;
    private long _endedGaps;
    private volatile bool _hasEnded;

    /// <summary>A feed without messages.</summary>
    /// <param name="key">Which topic.</param>
    /// <param name="page">Its page; 0: it has none yet, and the first message brings it.</param>
    /// <param name="limits">The bounds.</param>
    /// <param name="share">What messages are counted in.</param>
    /// <param name="time">The clock, of which the monotonic side is used.</param>
    /// <param name="ownBytes">What its maker took of <paramref name="share"/> for the topic itself: <see cref="TopicMemory.FeedBytesOf"/> or more.</param>
    public TopicFeed(TopicKey key, ulong page, TopicLimits limits, TopicShare share, TimeProvider time, long ownBytes)
    {
        Key = key;
        _newest = new TopicPosition(page, 0);
        _limits = limits;
        _share = share;
        _time = time;
        _usedAt = time.GetTimestamp();
        _place = new LinkedListNode<TopicFeed>(this);
        _keptPlace = new LinkedListNode<TopicFeed>(this);
        OwnBytes = ownBytes;
        share.Memory.Add(share, _place);
    }

    /// <summary>Which topic.</summary>
    public TopicKey Key { get; }

    /// <summary>What it and its messages are counted in.</summary>
    public TopicShare Share => _share;

    /// <summary>What it holds without messages.</summary>
    public long OwnBytes { get; }

    /// <summary>Its subscribers' streams.</summary>
    public PushSet Streams { get; } = new();

    /// <summary>True once its topic is gone or forgotten: it takes no message and no reader.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>The place of the newest message; number 0: there was none.</summary>
    public TopicPosition Newest
    {
        get
        {
            lock (_lock)
            {
                return _newest;
            }
        }
    }

    /// <summary>How many follow it.</summary>
    public int Subscribers
    {
        get
        {
            lock (_lock)
            {
                return _readers.Count;
            }
        }
    }

    /// <summary>How long it has been without subscribers and messages; zero while it has subscribers.</summary>
    public TimeSpan Unused
    {
        get
        {
            lock (_lock)
            {
                return _readers.Count > 0 ? TimeSpan.Zero : _time.GetElapsedTime(_usedAt);
            }
        }
    }

    /// <summary>Appends a message with the next number of the page. For a broker that numbers.</summary>
    /// <param name="message">The message; copied.</param>
    /// <param name="heldBytes">What its maker has taken of the memory for it: <see cref="TopicEvent.HeldBytesOf"/>.</param>
    /// <returns>False where the feed has ended; the memory is then still its maker's.</returns>
    public bool TryPublish(in TopicMessage message, long heldBytes)
    {
        lock (_lock)
        {
            if (_hasEnded)
            {
                return false;
            }

            Add(_newest with { Number = _newest.Number + 1 }, message, heldBytes);
        }

        Offer();
        return true;
    }

    /// <summary>
    /// Appends a message that has its number already. One that does not follow the newest, in page or number, is preceded by a discontinuity; one of the same
    /// page that is not newer is dropped. Where there is no memory for it, it becomes a discontinuity.
    /// </summary>
    /// <param name="at">Its place.</param>
    /// <param name="message">The message; copied.</param>
    public void Append(TopicPosition at, in TopicMessage message)
    {
        long heldBytes = TopicEvent.HeldBytesOf(message);
        bool hasMemory = _share.TryTake(heldBytes);
        bool isAdded = false;
        lock (_lock)
        {
            if (!_hasEnded && (at.Page != _newest.Page || at.Number > _newest.Number))
            {
                isAdded = hasMemory;
                MoveTo(at with { Number = hasMemory ? at.Number - 1 : at.Number });
                if (hasMemory)
                {
                    Add(at, message, heldBytes);
                }
            }
        }

        if (hasMemory && !isAdded)
        {
            _share.Give(heldBytes);
        }

        Offer();
    }

    /// <summary>
    /// Says that messages up to <paramref name="newest"/> are not to be had, or that the topic has begun another page: a discontinuity to those who
    /// follow. Nothing where the feed is there already, and silent where it had no page yet.
    /// </summary>
    public void Skip(TopicPosition newest)
    {
        lock (_lock)
        {
            if (_hasEnded || (newest.Page == _newest.Page && newest.Number <= _newest.Number))
            {
                return;
            }

            MoveTo(newest);
        }

        Offer();
    }

    /// <summary>Ends it: its subscriptions with an error, at once, and what it keeps is let go.</summary>
    /// <returns>False if it had ended before.</returns>
    public bool End(CallError error)
    {
        TopicReader[] readers;
        lock (_lock)
        {
            if (_hasEnded)
            {
                return false;
            }

            readers = EndAlone();
        }

        foreach (TopicReader reader in readers)
        {
            reader.End(error, isAtOnce: true);
        }

        return true;
    }

    /// <summary>Ends it where nobody has used it for so long.</summary>
    public bool TryForget(TimeSpan unused)
    {
        lock (_lock)
        {
            if (_hasEnded || _readers.Count > 0 || _time.GetElapsedTime(_usedAt) < unused)
            {
                return false;
            }

            EndAlone();
            return true;
        }
    }

    // Under the lock.
    private TopicReader[] EndAlone()
    {
        _hasEnded = true;
        DropUpTo(_newestIndex);
        _share.Give(OwnBytes);
        _share.Memory.Remove(_share, _place);
        _share.Memory.Ended.AddPublished(_messages, _messageBytes);
        _share.Memory.Ended.AddDelivered(_endedDeliveries, _endedGaps);
        foreach (TopicReader reader in _readers)
        {
            _share.Memory.Ended.AddDelivered(reader.Deliveries, reader.Gaps);
        }

        return [.. _readers];
    }

    // Under the lock. The feed's newest becomes that place, by a gap where it does not follow.
    private void MoveTo(TopicPosition newest)
    {
        if (newest == _newest)
        {
            return;
        }

        // What is not begun yet has nothing to miss.
        bool isSilent = _newest.Page == 0 && _newestIndex == 0 && (_readers.Count == 0 || newest.Number == 0);
        ulong last = _newest.Number;
        if (newest.Page != _newest.Page)
        {
            // Numbers of another page are asked for in vain.
            _keptFrom = _newestIndex + 1;
            _keptBytes = 0;
        }

        _newest = newest;
        if (!isSilent)
        {
            Put(new TopicEvent(_newestIndex + 1, newest, IsItem: false, TopicFrames.Discontinuity(last, newest), 0, _total, 0));
        }
    }

    // Under the lock.
    private void Add(TopicPosition at, in TopicMessage message, long heldBytes)
    {
        _newest = at;
        _usedAt = _time.GetTimestamp();
        _messages++;
        _messageBytes += message.ValueBytes;
        _total += message.ValueBytes;
        Put(new TopicEvent(_newestIndex + 1, at, IsItem: true, TopicFrames.Item(at, message), message.ValueBytes, _total, heldBytes));
    }
}
