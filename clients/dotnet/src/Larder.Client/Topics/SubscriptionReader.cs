using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Topics;

/// <summary>
/// Reads one subscription for one caller.
/// <para>
/// Design: no code runs for a subscription between two reads of the caller. Messages that arrive between reads wait in the flow-control window of the stream
/// and at the server. This has three advantages: no event buffer needs a limit, no work continues if the enumeration is abandoned, and no thread switch is
/// needed for a message. The only other activity is the timer of <see cref="Subscriptions"/>, which aborts a stream that is silent for too long while a read
/// waits for a message.
/// </para>
/// </summary>
internal sealed partial class SubscriptionReader : IAsyncEnumerator<TopicEvent>
{
    private readonly Subscriptions _owner;
    private readonly CacheBytes _cache;
    private readonly CacheBytes _topic;
    private readonly SubscriptionState _state;
    private readonly CancellationTokenRegistration _registration;

    // Guards the state, which the timer reads, and the current attempt, which any thread may cancel.
    private readonly Lock _lock = new();
    private CancellationTokenSource _attempt = new();
    private TopicEvent? _behind;
    private bool _hasBegun;
    private bool _isWaiting;
    private bool _isOver;
    private volatile bool _isStopped;
    private int _isMoving;
    private long _items;
    private long _discontinuities;

    public SubscriptionReader(
        Subscriptions owner,
        CacheBytes cache,
        CacheBytes topic,
        SubscribeOptions options,
        TimeSpan requestTimeout,
        CancellationToken cancellationToken)
    {
        _owner = owner;
        _cache = cache;
        _topic = topic;
        _requestTimeout = requestTimeout;
        _state = new SubscriptionState(options, requestTimeout, owner.BackOff);
        _registration = cancellationToken.UnsafeRegister(static state => ((SubscriptionReader)state!).Stop(), this);
    }

    public TopicEvent Current { get; private set; } = TopicEvent.Heartbeat.Instance;

    public long Items => Volatile.Read(ref _items);

    public long Discontinuities => Volatile.Read(ref _discontinuities);

    /// <summary>
    /// Waits for the next event. Returns false when the subscription has ended. Does not throw for failures of the server or the network, which are reported as
    /// events.
    /// </summary>
    /// <exception cref="InvalidOperationException">Another read is in progress.</exception>
    public async ValueTask<bool> MoveNextAsync()
    {
        if (Interlocked.Exchange(ref _isMoving, 1) == 1)
        {
            throw new InvalidOperationException("Another read of this enumeration is in progress; wait until it completes before the next read.");
        }

        try
        {
            return TryTakeLagging() || await NextAsync().WithPoolCheck();
        }
        finally
        {
            Volatile.Write(ref _isMoving, 0);
        }
    }

    /// <summary>Ends the subscription and closes its stream immediately.</summary>
    public async ValueTask DisposeAsync()
    {
        Stop();
        // A read in progress ends now. Either that read or this method cleans up, whichever continues first.
        SpinWait spin = default;
        while (Interlocked.Exchange(ref _isMoving, 1) == 1)
        {
            if (spin.NextSpinWillYield)
            {
                await PoolQueue.Work.Yield();
            }

            spin.SpinOnce(sleep1Threshold: -1);
        }

        End();
        await _registration.DisposeAsync().On(PoolQueue.Work);
        Volatile.Write(ref _isMoving, 0);
    }

    /// <summary>Ends the subscription. May be called from any thread. The current or the next read returns false.</summary>
    public void Stop()
    {
        CancellationTokenSource attempt;
        lock (_lock)
        {
            _isStopped = true;
            attempt = _attempt;
        }

        attempt.Cancel();
    }

    private async ValueTask<bool> NextAsync()
    {
        Resume();

        while (!_isStopped && _state.Phase != SubscriptionPhase.Ended)
        {
            try
            {
                StreamingCall call = _call ?? await OpenAsync().On(PoolQueue.Callers);
                if (!await ReadAsync(call).WithPoolCheck())
                {
                    throw new RpcException(new Status(StatusCode.Ok, "The server ended the stream."));
                }

                if (Take(call.Decode(SubscriptionMessage.Codec)))
                {
                    return true;
                }
            }
            catch (Exception exception) when (exception is RpcException or NoTokenException or FormatException or OperationCanceledException)
            {
                if (!_isStopped && await FailAsync(exception).On(PoolQueue.Callers))
                {
                    return true;
                }
            }
        }

        End();
        return false;
    }

    // Called when the caller starts a read. The time since the previous read does not count as silence of the server.
    private void Resume()
    {
        if (!_hasBegun && !_isStopped)
        {
            _hasBegun = true;
            _startedAt = _owner.Now;
            if (!_owner.TryAdd(this))
            {
                Stop();
            }
        }

        TimeSpan now = _owner.Now;
        lock (_lock)
        {
            _state.Resumed(now);
        }
    }

    private ValueTask<bool> ReadAsync(StreamingCall call)
    {
        ValueTask<bool> reading = call.ReadMessageAsync();
        if (reading.IsCompleted)
        {
            return reading;
        }

        lock (_lock)
        {
            _isWaiting = true;
        }

        return reading;
    }

    // Handles a message. Returns whether it yields an event. If an item follows a gap, this read returns the discontinuity and the next read returns the item.
    private bool Take(in SubscriptionMessage message)
    {
        TimeSpan now = _owner.Now;
        if (_isOpening)
        {
            OnFirstMessage();
        }

        lock (_lock)
        {
            _isWaiting = false;
            switch (message.Kind)
            {
                case SubscriptionMessage.MessageKind.Item:
                    if (_state.OnItem(message.Number, message.Page, now, out TopicGap? before))
                    {
                        _behind = message.Item;
                        return Tell(before) || TryTakeLagging();
                    }

                    return false;
                case SubscriptionMessage.MessageKind.Discontinuity:
                    return Tell(_state.OnDiscontinuity(message.Last, message.Number, message.Page, now));
                default:
                    if (_state.OnHeartbeat(now) && message.Kind == SubscriptionMessage.MessageKind.Heartbeat)
                    {
                        Current = TopicEvent.Heartbeat.Instance;
                        return true;
                    }

                    return false;
            }
        }
    }

    private bool Tell(TopicGap? gap)
    {
        if (gap is not { } told)
        {
            return false;
        }

        Volatile.Write(ref _discontinuities, _discontinuities + 1);
        Current = new TopicEvent.Discontinuity(told.Last, told.Next, told.Page);
        return true;
    }

    private bool TryTakeLagging()
    {
        if (_behind is not { } item || _isStopped)
        {
            return false;
        }

        _behind = null;
        Volatile.Write(ref _items, _items + 1);
        Current = item;
        return true;
    }

    // Ends the subscription and releases its resources. Called by the current read, or while no read can run.
    private void End()
    {
        if (_isOver)
        {
            return;
        }

        _isOver = true;
        _behind = null;
        lock (_lock)
        {
            _state.Close();
        }

        Close();
        Leave();
        _owner.Remove(this);
    }
}
