using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// The schedule of an open-loop load. An arrival is a call that becomes due at a time. Only the rate determines when arrivals are due. Arrivals are assigned to
/// callers in order. If an arrival is due when a caller requests one, the caller gets it immediately, with its due time. Otherwise the caller waits, and the
/// schedule wakes it for a later arrival. The due time of an arrival is computed only when the arrival is assigned, so the schedule needs no queue. The
/// arrivals that are due but not assigned are the backlog.
/// <para>
/// Design: the schedule handles millions of arrivals per second on processors that the client and the server also need. An arrival may therefore take only a
/// fraction of a µs. Assigning an arrival allocates no memory and takes the schedule's lock only once. A caller whose call has ended takes the next due arrival
/// on its current thread. A dedicated thread wakes the waiting callers. The callers start their calls on this thread one after the other, like the requests
/// that a server processes after one read. If arrivals are dense, the thread waits until several arrivals are due, because one wake-up takes as much processor
/// time as a dozen calls. This delay is part of the latency, which is measured from the due time. The caller that started to wait last is woken first, because
/// its memory is still in the processor's cache.
/// </para>
/// <para>
/// During the schedule, the thread pool wakes callers only if <see cref="MaxBatch"/> of them have a due arrival. The reason is that a pool thread spins for
/// some tens of µs before it sleeps. In a measurement in which a pool thread was woken for each arrival, the spinning took 1.1 of 2 processors at 25,000
/// arrivals per second. This was three times the processor time of the client and the server for the calls.
/// </para>
/// </summary>
internal sealed class LoadArrivals : IDisposable
{
    /// <summary>
    /// The maximum number of callers that are woken together. Waking a caller takes about 0.5 µs. If this number is reached, the thread pool wakes the callers
    /// instead of the dedicated thread.
    /// </summary>
    public const int MaxBatch = 256;

    // A wake-up takes about 6 µs of processor time, and a call takes 2 to 20 µs in client and server. At 10,000 or more arrivals per second, arrivals that are
    // due within 80 µs share one wake-up, which limits the number of wake-ups to 12,500 per second. At 200,000 or more arrivals per second, arrivals that are
    // due within 150 µs (30 arrivals or more) share one wake-up.
    private const double DenseRatePerSecond = 10_000;
    private const double DensestRatePerSecond = 200_000;
    private static readonly TimeSpan s_denseSleep = TimeSpan.FromMicroseconds(80);
    private static readonly TimeSpan s_densestSleep = TimeSpan.FromMicroseconds(150);

    private readonly object _gate = new();
    private readonly double _ticksPerArrival;
    private readonly bool _uniform;
    private readonly long _end;
    private readonly long _start;
    private readonly double _ratePerSecond;
    private readonly TimeSpan _shortestSleep;
    private readonly LoadTrace? _trace;
    private LoadRandom _random;
    private double _next;
    private long _drawn;
    private LoadTurn? _waiting;
    private bool _paceWaits;
    private bool _disposed;

    /// <summary>
    /// Creates a schedule from <paramref name="start"/> to <paramref name="end"/>, in stopwatch ticks. If <paramref name="trace"/> is not null, the gaps
    /// between arrivals are proportional to the gaps of the trace.
    /// </summary>
    public LoadArrivals(double ratePerSecond, bool uniform, long seed, long start, long end, LoadTrace? trace = null)
    {
        (_start, _ratePerSecond, _trace) = (start, ratePerSecond, trace);
        _shortestSleep = ratePerSecond >= DensestRatePerSecond ? s_densestSleep : ratePerSecond >= DenseRatePerSecond ? s_denseSleep : TimeSpan.Zero;
        _ticksPerArrival = Stopwatch.Frequency / ratePerSecond;
        _uniform = uniform;
        _random = new LoadRandom(seed, -1);
        _next = start;
        _end = end;
        new Thread(Pace) { IsBackground = true, Name = "load arrivals" }.Start();
    }

    // NextDue, IsOver and every method that computes an arrival or removes a waiting caller may be used only while the lock _gate is held.
    private long NextDue => (long)_next;

    private bool IsOver => _disposed || NextDue >= _end;

    /// <summary>Waits until an arrival is due and assigned to this caller, and starts it. Returns false if the schedule is over.</summary>
    public ValueTask<bool> NextAsync(LoadTurn turn)
    {
        long now = Stopwatch.GetTimestamp();
        long due;
        bool wasFree;
        lock (_gate)
        {
            if (IsOver)
            {
                return new(false);
            }

            if (NextDue > now)
            {
                return Wait(turn);
            }

            (wasFree, due) = (_waiting is not null, Draw());
        }

        turn.Begin(due, now, wasFree);
        return new(true);
    }

    /// <summary>
    /// Assigns the remaining due arrivals to waiting callers. Returns the number of due arrivals for which no caller was free. Called at the end of the
    /// schedule.
    /// </summary>
    public long DrainUnstarted(long now)
    {
        LoadTurn? begun;
        long count = 0;
        lock (_gate)
        {
            long until = Math.Min(now, _end - 1);
            (begun, _) = TakeDue(until, int.MaxValue);
            while (NextDue <= until)
            {
                Draw();
                count++;
            }
        }

        WakeOnPool(begun);
        return count;
    }

    /// <summary>Ends the schedule and releases the waiting callers.</summary>
    public void Dispose()
    {
        LoadTurn? released;
        lock (_gate)
        {
            _disposed = true;
            released = TakeReleased();
            Monitor.Pulse(_gate);
        }

        WakeOnPool(released);
    }

    private long Draw()
    {
        long due = NextDue;
        _drawn++;
        _next = _trace is not null ? _start + _trace.DueTicks(_drawn, _ratePerSecond)
            : _next + (_uniform ? _ticksPerArrival : -Math.Log(1 - _random.Unit()) * _ticksPerArrival);
        return due;
    }

    private ValueTask<bool> Wait(LoadTurn turn)
    {
        ValueTask<bool> wait = turn.WaitAsync();
        turn.Next = _waiting;
        _waiting = turn;
        if (_paceWaits)
        {
            _paceWaits = false;
            Monitor.Pulse(_gate);
        }

        return wait;
    }

    /// <summary>
    /// Assigns the arrivals due by <paramref name="until"/> to waiting callers, and removes these callers from the list. Returns them as a linked list in the
    /// order of their arrivals. The first caller is null if there are none.
    /// </summary>
    private (LoadTurn? First, int Count) TakeDue(long until, int most)
    {
        LoadTurn? first = null, last = null;
        int count = 0;
        for (; count < most && NextDue <= until && !IsOver && _waiting is { } turn; count++)
        {
            _waiting = turn.Next;
            turn.Next = null;
            turn.Give(Draw());
            if (last is null)
            {
                first = turn;
            }
            else
            {
                last.Next = turn;
            }

            last = turn;
        }

        return (first, count);
    }

    /// <summary>Removes and returns all waiting callers. They must be woken because the schedule is over.</summary>
    private LoadTurn? TakeReleased()
    {
        LoadTurn? all = _waiting;
        _waiting = null;
        for (LoadTurn? turn = all; turn is not null; turn = turn.Next)
        {
            turn.End();
        }

        return all;
    }

    /// <summary>Wakes callers when arrivals are due, until the schedule is over.</summary>
    private void Pace()
    {
        PreciseSleep.BeExact();
        while (true)
        {
            LoadTurn? turns;
            int count;
            long left;
            bool isOver;
            lock (_gate)
            {
                while (_waiting is null && !IsOver)
                {
                    _paceWaits = true;
                    Monitor.Wait(_gate);
                }

                long now = Stopwatch.GetTimestamp();
                isOver = IsOver;
                (turns, count) = isOver ? (TakeReleased(), MaxBatch) : TakeDue(now, MaxBatch);
                left = NextDue - now;
            }

            if (count == MaxBatch)
            {
                WakeOnPool(turns);
            }
            else
            {
                turns?.WakeAll();
            }

            if (isOver)
            {
                return;
            }

            if (turns is null)
            {
                Sleep(left);
            }
        }
    }

    private void Sleep(long ticks)
    {
        var time = TimeSpan.FromSeconds((double)ticks / Stopwatch.Frequency);
        PreciseSleep.For(time < _shortestSleep ? _shortestSleep : time);
    }

    private static void WakeOnPool(LoadTurn? first)
    {
        if (first is not null)
        {
            ThreadPool.UnsafeQueueUserWorkItem(first, preferLocal: false);
        }
    }
}
