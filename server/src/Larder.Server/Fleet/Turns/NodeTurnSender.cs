using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Sends commands to one node in the order that <see cref="NodeTurns"/> determines. Fails waiting commands whose deadline has passed or whose client has
/// disconnected. Thread-safe.
/// </summary>
internal sealed class NodeTurnSender : IDisposable
{
    // A waiting command fails at most this long after its deadline has passed or its connection has ended.
    private static readonly TimeSpan s_lookEvery = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_shortestWait = TimeSpan.FromMilliseconds(1);

    private static readonly RedisFailure s_full = new(RedisFailureKind.Overloaded, NotExecuted: true, "Too many expensive calls are waiting for this node.");
    private static readonly RedisFailure s_over = new(RedisFailureKind.TimedOut, NotExecuted: true, "The call ended before it was sent to the node.");

    private readonly Lock _gate = new();
    private readonly RedisStore _store;
    private readonly TimeProvider _time;
    private readonly NodeTurns _turns;
    private readonly ITimer _timer;
    private readonly List<IQueuedCommand> _over = [];
    private bool _isSending;
    private bool _isTimerSet;

    public NodeTurnSender(RedisStore store, TimeProvider time)
    {
        _store = store;
        _time = time;
        _turns = new NodeTurns(time.TimestampFrequency, new TurnLimits());
        _timer = time.CreateTimer(static state => ((NodeTurnSender)state!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets two numbers: the waiting commands, and the outstanding heavy commands.</summary>
    public (int Waiting, int RunningHeavy) Figures
    {
        get
        {
            lock (_gate)
            {
                return (_turns.Waiting, _turns.RunningHeavy);
            }
        }
    }

    /// <summary>Queues a command. The command is sent when it is its turn.</summary>
    public void Send(RemoteCommand command)
    {
        IQueuedCommand? dropped;
        lock (_gate)
        {
            dropped = _turns.Add(command);
        }

        if (dropped is RemoteCommand full)
        {
            full.FailUnsent(s_full);
        }

        SendMore();
    }

    /// <summary>Records that a sent command has ended.</summary>
    public void End(Effort effort, long sentAt)
    {
        lock (_gate)
        {
            _turns.End(effort, sentAt, _time.GetTimestamp());
        }

        SendMore();
    }

    public void Dispose() => _timer.Dispose();

    private void OnTimer()
    {
        List<IQueuedCommand> over = [];
        lock (_gate)
        {
            _isTimerSet = false;
            _turns.TakeOver(_time.GetTimestamp(), over);
        }

        foreach (IQueuedCommand taker in over)
        {
            ((RemoteCommand)taker).FailUnsent(s_over);
        }

        SendMore();
        _store.Flush();
    }

    // If a command fails while it is being sent, this method is called recursively. The recursive call returns immediately, and the outer loop continues.
    private void SendMore()
    {
        lock (_gate)
        {
            if (_isSending)
            {
                return;
            }

            _isSending = true;
        }

        while (Next(out bool isOver) is { } command)
        {
            if (isOver)
            {
                command.FailUnsent(s_over);
            }
            else
            {
                command.SendNow(_store);
            }
        }
    }

    private RemoteCommand? Next(out bool isOver)
    {
        lock (_gate)
        {
            long now = _time.GetTimestamp();
            isOver = false;
            if (_turns.Next(now) is RemoteCommand command)
            {
                isOver = command.EndsAt <= now || command.Caller.IsGone;
                if (isOver)
                {
                    _turns.End(command.Effort, now, now);
                }
                else
                {
                    command.BeginTurn(this, now);
                }

                return command;
            }

            _isSending = false;
            SetTimer(now);
            return null;
        }
    }

    // The caller must hold the lock.
    private void SetTimer(long now)
    {
        if (_turns.Waiting == 0 || _isTimerSet)
        {
            return;
        }

        _isTimerSet = true;
        TimeSpan rest = _time.GetElapsedTime(0, _turns.RemainingPause(now));
        TimeSpan wait = rest == TimeSpan.Zero || rest > s_lookEvery ? s_lookEvery : rest;
        _timer.Change(wait < s_shortestWait ? s_shortestWait : wait, Timeout.InfiniteTimeSpan);
    }
}
