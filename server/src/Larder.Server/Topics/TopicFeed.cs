using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// The messages of a topic that subscribers can receive, and the readers, one per subscriber. The messages are in order, and each is encoded only once. The
/// broker appends messages. Readers find messages by index, each at its own speed, and store no messages themselves. Thread-safe.
/// </summary>
/// <remarks>
/// A round offers appended events to the connections. Each round is one thread-pool work item, and only one round runs at a time. Events that are appended
/// during a round are offered by the next round, so a burst takes only one round. A publisher that is too far ahead waits for the next round
/// (<see cref="WaitForRoundAsync"/>), so that readers do not miss messages because of delays inside the server. A round never waits for a reader.
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

    /// <summary>Initializes a feed without messages.</summary>
    /// <param name="key">The topic.</param>
    /// <param name="page">The page of the topic; 0 if the topic has no page yet. In that case the first message determines the page.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="share">Accounts for the memory of messages.</param>
    /// <param name="time">The clock; only its monotonic time is used.</param>
    /// <param name="ownBytes">
    /// The memory that the creator of the feed reserved in <paramref name="share"/> for the topic itself: at least <see cref="TopicMemory.FeedBytesOf"/>.
    /// </param>
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

    public TopicKey Key { get; }

    /// <summary>Gets the memory share of the topic and its messages.</summary>
    public TopicShare Share => _share;

    /// <summary>Gets the memory of the topic without messages, in bytes.</summary>
    public long OwnBytes { get; }

    /// <summary>Gets the streams of the subscribers.</summary>
    public PushSet Streams { get; } = new();

    /// <summary>Gets whether the topic was deleted or removed. It then accepts no messages and no readers.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>Gets the position of the newest message. Its number is 0 if the feed has had no message.</summary>
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

    /// <summary>Gets the time since the last subscriber left or the last message arrived, whichever is later. Zero if there are subscribers.</summary>
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

    /// <summary>Appends a message with the next number of the page. Used by brokers that do not assign numbers themselves.</summary>
    /// <param name="message">The message. It is copied.</param>
    /// <param name="heldBytes">The memory that the caller reserved for the message: <see cref="TopicEvent.HeldBytesOf"/>.</param>
    /// <returns>False if the feed has ended. The caller must then release the memory.</returns>
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
    /// Appends a message that already has a number. If the message does not directly follow the newest message, in page or number, a discontinuity is inserted
    /// before it. A message of the same page that is not newer is dropped. If there is no memory for the message, a discontinuity replaces it.
    /// </summary>
    /// <param name="at">The position of the message.</param>
    /// <param name="message">The message. It is copied.</param>
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
    /// Records that messages up to <paramref name="newest"/> are not available, or that a new page has begun. Subscribers receive a discontinuity. Does nothing
    /// if the feed is already at that position. If the feed had no page yet, subscribers receive nothing.
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

    /// <summary>Ends the feed. Its subscriptions end immediately with an error, and its messages are dropped.</summary>
    /// <returns>False if the feed had already ended.</returns>
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

    /// <summary>Ends the feed if it has not been used for the given time.</summary>
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

    // The caller must hold the lock.
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

    // The caller must hold the lock. Sets the newest position, and adds a discontinuity if that position does not follow the current position.
    private void MoveTo(TopicPosition newest)
    {
        if (newest == _newest)
        {
            return;
        }

        // If the feed has not begun yet, subscribers cannot have missed messages.
        bool isSilent = _newest.Page == 0 && _newestIndex == 0 && (_readers.Count == 0 || newest.Number == 0);
        ulong last = _newest.Number;
        if (newest.Page != _newest.Page)
        {
            // After this, subscribers cannot resume at numbers of the previous page.
            _keptFrom = _newestIndex + 1;
            _keptBytes = 0;
        }

        _newest = newest;
        if (!isSilent)
        {
            Put(new TopicEvent(_newestIndex + 1, newest, IsItem: false, TopicFrames.Discontinuity(last, newest), 0, _total, 0));
        }
    }

    // The caller must hold the lock.
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
