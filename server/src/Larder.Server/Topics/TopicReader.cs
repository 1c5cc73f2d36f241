using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// The position of one subscriber in a feed. A reader also counts the events that the subscriber received. It stores only the message that is being sent.
/// Unread messages remain in the feed. A reader that is too far behind continues with the newest message.
/// </summary>
internal sealed class TopicReader : IPushSource
{
    private readonly TopicFeed _feed;
    private readonly TopicClock _clock;
    private PushStream? _stream;

    // The frame that is being sent, and the number of its bytes that have been sent.
    private byte[]? _frame;
    private int _sent;
    private long _taken;
    private byte[]? _firstGap;
    private bool _hasBegun;
    private long _next;
    private TopicPosition _last;

    // The index of the newest event at the time when the reader's queue began. Only later events belong to the queue.
    private long _queueFrom;
    private long _queueFromTotal;

    // Whether the reader could not accept all available events. Only such a reader has a queue. A reader that has accepted all events is behind only because of
    // delays inside the server.
    private bool _hasLeft;
    private int _lastTick;
    private long _until = long.MaxValue;
    private CallError? _error;

    /// <param name="feed">The feed.</param>
    /// <param name="clock">Determines when a heartbeat is due.</param>
    /// <param name="next">The index of the first event.</param>
    /// <param name="position">The position of the first message that the reader can receive.</param>
    /// <param name="gap">A discontinuity that is sent first; null to send none.</param>
    public TopicReader(TopicFeed feed, TopicClock clock, long next, TopicPosition position, byte[]? gap)
    {
        _feed = feed;
        _clock = clock;
        _next = next;
        _firstGap = gap;
        Position = position;
        _last = position with { Number = position.Number - 1 };
    }

    /// <summary>Gets the position of the first message that the reader can receive.</summary>
    public TopicPosition Position { get; }

    /// <summary>Gets the index of the next event.</summary>
    public long NextIndex => Volatile.Read(ref _next);

    /// <summary>Gets the number of messages received.</summary>
    public long Deliveries { get; private set; }

    /// <summary>Gets the number of discontinuities received.</summary>
    public long Gaps { get; private set; }

    /// <summary>Gets the error with which the reader ended; null if the subscriber left.</summary>
    public CallError? Error => Volatile.Read(ref _error);

    /// <summary>
    /// Gets or sets the number of stream messages, including heartbeats and discontinuities, after which the reader ends with <see cref="InjectedError"/>. Used
    /// for fault injection.
    /// </summary>
    public long InjectedAfter { get; set; } = long.MaxValue;

    /// <summary>Gets or sets the injected error; see <see cref="InjectedAfter"/>.</summary>
    public CallError? InjectedError { get; set; }

    /// <summary>Sends events to the subscriber until the subscriber leaves or the reader is ended.</summary>
    /// <param name="stream">The subscriber's stream.</param>
    /// <param name="everyone">The streams of all subscribers.</param>
    public async Task RunAsync(PushStream stream, PushSet everyone)
    {
        Volatile.Write(ref _stream, stream);
        if (InjectedAfter == 0)
        {
            End(InjectedError!, isAtOnce: true);
        }
        else if (Error is not null)
        {
            stream.End();
        }

        await stream.RunAsync(this, _feed.Streams, everyone).ConfigureAwait(false);
    }

    /// <summary>Ends the reader. If the method is called more than once, the first error is used.</summary>
    /// <param name="error">The error that is sent to the subscriber.</param>
    /// <param name="isAtOnce">Whether unsent events are dropped. If false, they are sent first.</param>
    public void End(CallError error, bool isAtOnce)
    {
        if (Interlocked.CompareExchange(ref _error, error, null) is null || isAtOnce)
        {
            Volatile.Write(ref _until, isAtOnce ? 0 : _feed.NewestIndex);
        }

        Volatile.Read(ref _stream)?.End();
    }

    int IOutputSource.Read(Span<byte> room)
    {
        if (!_hasLeft)
        {
            BeginQueue();
        }

        int written = 0;
        while (written < room.Length && (_frame is not null || TryTakeNext()))
        {
            int length = Math.Min(_frame!.Length - _sent, room.Length - written);
            _frame.AsSpan(_sent, length).CopyTo(room[written..]);
            written += length;
            _sent += length;
            if (_sent == _frame.Length)
            {
                _frame = null;
            }
        }

        _hasLeft = _frame is not null || _next <= _feed.NewestIndex;
        return written;
    }

    void IPushSource.Closed() => _feed.Leave(this);

    private void BeginQueue()
    {
        _queueFrom = _feed.NewestIndex;
        _queueFromTotal = _feed.Find(_queueFrom)?.Total ?? 0;
    }

    private bool TryTakeNext()
    {
        if (!_hasBegun)
        {
            _hasBegun = true;
            return Take(TopicFrames.Heartbeat);
        }

        if (_firstGap is { } gap)
        {
            _firstGap = null;
            Gaps++;
            return Take(gap);
        }

        long newest = Math.Min(_feed.NewestIndex, Volatile.Read(ref _until));
        if (_next <= newest)
        {
            return _feed.Find(_next) is { } next && !IsTooFarBehind(next, newest) ? TakeEvent(next) : TakeGap();
        }

        return _clock.Now - _lastTick >= _clock.HeartbeatTicks && Error is null && Take(TopicFrames.Heartbeat);
    }

    private bool IsTooFarBehind(TopicEvent next, long newest)
    {
        if (newest - Math.Max(_next - 1, _queueFrom) > TopicLimits.QueuedMessages)
        {
            return true;
        }

        long from = _next <= _queueFrom ? _queueFromTotal : next.Total - next.ValueBytes;
        return newest > _queueFrom && _feed.Find(newest) is { } last && last.Total - from > TopicLimits.QueuedBytes;
    }

    private bool TakeEvent(TopicEvent next)
    {
        _last = next.At;
        Volatile.Write(ref _next, next.Index + 1);
        if (next.IsItem)
        {
            Deliveries++;
        }
        else
        {
            Gaps++;
        }

        return Take(next.Frame);
    }

    // Continues with the newest message, like a new subscriber. If the newest message is not kept, continues with the next message.
    private bool TakeGap()
    {
        (long index, TopicPosition before) = _feed.BeforeNewest();
        Volatile.Write(ref _next, index);
        byte[] gap = TopicFrames.Discontinuity(_last.Number, before);
        _last = before;
        BeginQueue();
        Gaps++;
        return Take(gap);
    }

    private bool Take(byte[] frame)
    {
        if (++_taken >= InjectedAfter)
        {
            // No events are taken after this frame. Another thread must end the stream, because this thread holds the lock of the connection.
            Volatile.Write(ref _until, 0);
            ThreadPool.UnsafeQueueUserWorkItem(static reader => reader.End(reader.InjectedError!, isAtOnce: true), this, preferLocal: false);
        }

        _frame = frame;
        _sent = 0;
        _lastTick = _clock.Now;
        return true;
    }
}
