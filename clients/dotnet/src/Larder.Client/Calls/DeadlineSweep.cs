namespace Larder.Client.Calls;

/// <summary>
/// Ends calls at their deadlines and wakes those that wait to be sent again, with one timer for all.
/// <para>
/// Design. Calls are reused objects, so the sweep keeps a table of the objects, not of the calls: in the steady state a call costs it one flag test.
/// The timer is set for the earliest moment known to matter; a sweep walks the table, acts on what is due and finds the next such moment. As calls end
/// long before their deadlines, the earliest one in sight is usually most of a deadline away, and so is the next sweep. An object that is idle at a
/// sweep leaves the table, and comes back with its next call. Bound: the objects under way at once.
/// </para>
/// </summary>
internal sealed class DeadlineSweep : IDisposable
{
    // Timers of the runtime are no finer; shorter waits would only spin.
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
    /// <param name="due">Called without a lock, for a call whose deadline or retry is due in this version; the call may have ended meanwhile.</param>
    public DeadlineSweep(Clock clock, Action<Call, long> due)
    {
        _clock = clock;
        _due = due;
        _timer = clock.Provider.CreateTimer(static state => ((DeadlineSweep)state!).Sweep(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Objects in the table.</summary>
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

    /// <summary>Takes note of a call that has just begun, or of a retry it now waits for.</summary>
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

    /// <summary>The calls under way now.</summary>
    public (Call Call, long Version)[] UnderWay()
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

            // From here on a new call sees no next sweep, and sets one itself.
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

    // Compacts the table in place. Returns the earliest moment that matters.
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

            // Read after the phase: of this life or of a later one, never of one before.
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

        // The flag goes down first: a call that begins just now either sees it and comes back, or is seen here.
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
