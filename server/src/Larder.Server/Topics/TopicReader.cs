using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// One subscriber's way through a feed: the index that it is at, and what it was told. It holds no message but one that has been begun; what it has not read
/// waits in the feed, and one that is too far behind goes on with the newest.
/// </summary>
internal sealed class TopicReader : IPushSource
{
    private readonly TopicFeed _feed;
    private readonly TopicClock _clock;
    private PushStream? _stream;

    // What is being sent, and how much of it was.
    private byte[]? _frame;
    private int _sent;
    private long _taken;
    private byte[]? _firstGap;
    private bool _hasBegun;
    private long _next;
    private TopicPosition _last;

    // What was published after it is the reader's queue; what was there before is not counted.
    private long _queueFrom;
    private long _queueFromTotal;

    // Whether it could not take all that was there: only then has it a queue. One that had taken all is behind by the server's own doing alone.
    private bool _hasLeft;
    private int _lastTick;
    private long _until = long.MaxValue;
    private CallError? _error;

    /// <param name="feed">What it goes through.</param>
    /// <param name="clock">Says when a heartbeat is due.</param>
    /// <param name="next">The index that it begins at.</param>
    /// <param name="position">The place of the first message that may come.</param>
    /// <param name="gap">A discontinuity to begin with; null: none.</param>
    public TopicReader(TopicFeed feed, TopicClock clock, long next, TopicPosition position, byte[]? gap)
    {
        _feed = feed;
        _clock = clock;
        _next = next;
        _firstGap = gap;
        Position = position;
        _last = position with { Number = position.Number - 1 };
    }

    /// <summary>The place of the first message that may come.</summary>
    public TopicPosition Position { get; }

    /// <summary>The index that it is at.</summary>
    public long NextIndex => Volatile.Read(ref _next);

    /// <summary>Messages that it got.</summary>
    public long Deliveries { get; private set; }

    /// <summary>Discontinuities that it was told.</summary>
    public long Gaps { get; private set; }

    /// <summary>Why it ended; null: its caller left.</summary>
    public CallError? Error => Volatile.Read(ref _error);

    /// <summary>
    /// Messages of the stream, heartbeats and discontinuities included, after which it ends with <see cref="InjectedError"/>. For fault injection.
    /// </summary>
    public long InjectedAfter { get; set; } = long.MaxValue;

    /// <summary>See <see cref="InjectedAfter"/>.</summary>
    public CallError? InjectedError { get; set; }

    /// <summary>Sends what it gets to its subscriber until that has left or it is ended.</summary>
    /// <param name="stream">The subscriber's.</param>
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

    /// <summary>Ends it. The first error counts.</summary>
    /// <param name="error">What its subscriber is told.</param>
    /// <param name="isAtOnce">Whether what is there and was not sent is dropped; otherwise it is sent before.</param>
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

    // On with the newest, as one who comes anew. Where that is gone too, on with what comes.
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
            // Nothing more is sent. Another thread ends the stream: this one holds the connection's lock.
            Volatile.Write(ref _until, 0);
            ThreadPool.UnsafeQueueUserWorkItem(static reader => reader.End(reader.InjectedError!, isAtOnce: true), this, preferLocal: false);
        }

        _frame = frame;
        _sent = 0;
        _lastTick = _clock.Now;
        return true;
    }
}
