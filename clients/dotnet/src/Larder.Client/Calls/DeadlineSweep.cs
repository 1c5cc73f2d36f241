namespace Larder.Client.Calls;

/// <summary>
/// Finds calls whose deadline has passed or whose retry is due, with a single timer for all calls.
/// <para>
/// Design: the sweep keeps a table of call objects. Call objects are reused, so in the steady state the object of a new call is already in the table, and the
/// call only tests a flag. The timer is set to the earliest deadline or retry. Each sweep scans the whole table, handles the calls that are due, and computes
/// the time of the next sweep. Calls usually end long before their deadlines, so sweeps are rare: the time between two sweeps is usually almost as long as the
/// timeout of a call. A sweep removes idle objects from the table. A removed object is added again by its next call. The table is never larger than the largest
/// number of objects in use at the same time.
/// </para>
/// </summary>
internal sealed class DeadlineSweep : IDisposable
{
    // The minimum wait. It is the resolution of .NET timers, so shorter waits would only fire the timer repeatedly.
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
    /// <param name="due">
    /// Called for each call whose deadline or retry is due, outside the lock. The second argument is the call's version. The call may already have ended.
    /// </param>
    public DeadlineSweep(Clock clock, Action<Call, long> due)
    {
        _clock = clock;
        _due = due;
        _timer = clock.Provider.CreateTimer(static state => ((DeadlineSweep)state!).Sweep(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets the number of call objects in the table, including objects that are not in use.</summary>
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

    /// <summary>Ensures that the sweep handles a call at <paramref name="dueAt"/>: the call's deadline or the time of its next retry.</summary>
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

            // From here on, a new call finds that no sweep is scheduled, and schedules a sweep itself.
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

    // Collects the calls that are due, and removes idle objects from the table in place. Returns the earliest time at which another call is due.
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

            // The times below are read after the version and the phase. They therefore belong to this version or to a later version, never to an earlier
            // version.
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

        // Clear the flag before the second check. If a call begins at this moment, either the call sees the cleared flag and adds its object again, or the
        // second check sees that the call is in progress.
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
