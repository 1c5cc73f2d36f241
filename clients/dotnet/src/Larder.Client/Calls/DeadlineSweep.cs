namespace Larder.Client.Calls;

/// <summary>
/// Ends calls at their deadlines and resumes those that wait for a retry, with a single timer.
/// <para>
/// Design: call objects are reused, so the sweep has a table of the objects, and in the steady state a call costs only the test of a flag. The timer is set to
/// the earliest time that matters. Each sweep scans the table, handles what is due and computes the next such time. Calls usually end long before their
/// deadlines, so the next sweep is usually most of a timeout away. A sweep removes idle objects; they return with their next call. The table's size is at most
/// the number of objects in use at once.
/// </para>
/// </summary>
internal sealed class DeadlineSweep : IDisposable
{
    // The resolution of .NET timers; shorter waits would only spin.
    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(1);

    private readonly Clock _clock;
    private readonly Action<Call, long> _due;
    private readonly ITimer _timer;
    private readonly Lock _lock = new();
    private readonly List<Call> _calls = [];
    private readonly List<(Call Call, long Version)> _dueNow = [];
    private long _nextAt = long.MaxValue;
    private bool _disposed;

    /// <param name="clock">The clock of deadlines.</param>
    /// <param name="due">Called without a lock for a call whose deadline or retry is due in this version. The call may have ended meanwhile.</param>
    public DeadlineSweep(Clock clock, Action<Call, long> due)
    {
        _clock = clock;
        _due = due;
        _timer = clock.Provider.CreateTimer(static state => ((DeadlineSweep)state!).Sweep(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets the number of objects in the table.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _calls.Count;
            }
        }
    }

    /// <summary>Registers a call that has just begun, or the time of its next retry.</summary>
    public void Watch(Call call, long dueAt)
    {
        if (!call.IsSwept)
        {
            Add(call);
        }

        if (dueAt < Volatile.Read(ref _nextAt))
        {
            Advance(dueAt);
        }
    }

    /// <summary>Returns the calls in progress.</summary>
    public (Call Call, long Version)[] RunningCalls()
    {
        lock (_lock)
        {
            return
            [
                .. _calls
                    .Select(static call => (call, call.Snapshot()))
                    .Where(static pair => pair.Item2.Phase is not (CallPhase.Idle or CallPhase.Ended))
                    .Select(static pair => (pair.call, pair.Item2.Version)),
            ];
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _disposed = true;
        }

        _timer.Dispose();
    }

    private void Add(Call call)
    {
        lock (_lock)
        {
            if (!call.IsSwept)
            {
                call.IsSwept = true;
                _calls.Add(call);
            }
        }
    }

    private void Advance(long dueAt)
    {
        lock (_lock)
        {
            if (dueAt < _nextAt && !_disposed)
            {
                Volatile.Write(ref _nextAt, dueAt);
                SetTimer(dueAt);
            }
        }
    }

    private void SetTimer(long dueAt)
    {
        TimeSpan wait = _clock.Between(_clock.Now, dueAt);
        _timer.Change(wait < Grain ? Grain : wait, Timeout.InfiniteTimeSpan);
    }

    private void Sweep()
    {
        (Call Call, long Version)[] due;
        lock (_lock)
        {
            if (_disposed)
            {
                return;
            }

            // From here on, a new call finds no scheduled sweep and schedules one itself.
            Interlocked.Exchange(ref _nextAt, long.MaxValue);
            long next = Walk(_clock.Now);
            due = [.. _dueNow];
            _dueNow.Clear();
            if (next != long.MaxValue)
            {
                Volatile.Write(ref _nextAt, next);
                SetTimer(next);
            }
        }

        foreach ((Call call, long version) in due)
        {
            _due(call, version);
        }
    }

    // Compacts the table in place. Returns the earliest time that matters.
    private long Walk(long now)
    {
        long next = long.MaxValue;
        int kept = 0;
        for (int index = 0; index < _calls.Count; index++)
        {
            Call call = _calls[index];
            if (!Keeps(call, out long version, out CallPhase phase))
            {
                continue;
            }

            // Read after the phase, so that the times belong to this version or a later one, never to an earlier one.
            _calls[kept++] = call;
            long dueAt = phase == CallPhase.BackingOff ? Math.Min(call.RetryAt, call.DeadlineAt) : call.DeadlineAt;
            if (dueAt <= now)
            {
                _dueNow.Add((call, version));
            }
            else
            {
                next = Math.Min(next, dueAt);
            }
        }

        _calls.RemoveRange(kept, _calls.Count - kept);
        return next;
    }

    private static bool Keeps(Call call, out long version, out CallPhase phase)
    {
        if (IsUnderWay(call, out version, out phase))
        {
            return true;
        }

        // Clear the flag first: a call that begins now either sees that and registers again, or is seen here.
        call.IsSwept = false;
        Interlocked.MemoryBarrier();
        call.IsSwept = IsUnderWay(call, out version, out phase);
        return call.IsSwept;
    }

    private static bool IsUnderWay(Call call, out long version, out CallPhase phase)
    {
        (version, phase) = call.Snapshot();
        return phase is not (CallPhase.Idle or CallPhase.Ended);
    }
}
