using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// The schedule of an open-loop load. The rate alone determines when arrivals are due, and they are assigned to callers in order. A caller that asks when an
/// arrival is due gets it at once, with its due time. Otherwise the schedule wakes one of the waiting callers. An arrival is drawn only when it is assigned, so
/// the schedule needs no queue: the arrivals that are due and not yet drawn are the backlog.
/// <para>
/// Design. The schedule handles millions of arrivals a second on processors that the client and server need too. So an arrival may cost only a small part of a
/// µs: it allocates nothing, and its caller takes one lock once. A caller that returns from its last call takes the next due arrival on its current thread. A
/// dedicated thread wakes the waiting callers, and they start their calls on it one after the other, as a server processes the requests of one read. If
/// arrivals are dense, this thread lets several gather first, because waking up costs as much as a dozen calls. The delay is part of the latency, which counts
/// from the due time. The caller that waited last is woken first, because its memory is still cached.
/// </para>
/// <para>
/// The thread pool starts calls only if more are due than one turn may take. A pool thread spins for some tens of µs before it sleeps. When a pool thread was
/// woken for each arrival, that took 1.1 of 2 processors at 25,000 arrivals a second, three times what client and server needed for the calls.
/// </para>
/// </summary>
internal sealed class LoadArrivals : IDisposable
{
    /// <summary>The maximum number of callers woken in one turn, at about 0.5 µs each. If more are due, the thread pool starts them.</summary>
    public const int MaxBatch = 256;

    // A wake-up takes about 6 µs of processor time, and a call takes 2 to 20 µs in client and server. From 10,000 arrivals a second, those due within 80 µs are
    // woken together: at most 12,500 wake-ups a second. From 200,000 arrivals a second, those due within 150 µs are woken together: 30 or more at once.
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
    /// Creates a schedule from <paramref name="start"/> to <paramref name="end"/>, in stopwatch ticks. If there is a <paramref name="trace"/>, its gaps are
    /// used.
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

    // The lock must be held for these two properties and for every method that draws an arrival or takes a caller.
    private long NextDue => (long)_next;

    private bool IsOver => _disposed || NextDue >= _end;

    /// <summary>Starts the caller's next arrival when one is due and it is this caller's turn. Returns false if the schedule is over.</summary>
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

    /// <summary>Draws and counts the due arrivals for which no caller was free: the backlog at the end.</summary>
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
    /// Removes callers from the list for the arrivals due by <paramref name="until"/>, in the order of their arrivals. The first caller is null if there are
    /// none.
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

    /// <summary>Removes all waiting callers, to be woken because the schedule is over.</summary>
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
