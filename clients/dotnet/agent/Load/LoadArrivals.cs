using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// The open loop's schedule: arrivals due at times fixed beforehand by the rate alone, handed to callers in order. An arrival goes to the next free caller: one
/// that comes when it is due gets it at once, with the time at which it was due; otherwise one of those who wait is woken. An arrival is drawn when it is
/// handed out, so the schedule needs no queue: what is due and not drawn is the backlog.
/// <para>
/// Design. At some millions of arrivals a second, on processors that client and server need too, an arrival may cost a small part of a µs: it allocates
/// nothing, and its caller takes one lock, once. Callers that come back from their last call take what has become due meanwhile, on the thread that they are
/// on. A thread of the schedule's own wakes those who wait, and they begin their calls on it, one after the other, as a server goes through the requests of
/// one read; where arrivals are dense it lets some gather, since being woken costs as much as a dozen calls. What that delays is in the latency: it counts
/// from when the call was due. Who waited last is woken first: its memory is still near.
/// </para>
/// <para>
/// The thread pool begins calls only where more are due than one turn takes. A thread of the pool looks for more work for some tens of µs before it sleeps:
/// woken for each arrival, it took 1.1 of 2 processors at 25,000 arrivals a second, three times what client and server needed for the calls.
/// </para>
/// </summary>
internal sealed class LoadArrivals : IDisposable
{
    /// <summary>Callers woken in one turn, at some 0.5 µs each: where more are due, the thread pool begins them.</summary>
    public const int MostTogether = 256;

    // Being woken takes some 6 µs of a processor, and a call 2 to 20 in client and server: from 10,000 a second on those due within 80 µs go together, which
    // is at most 12,500 times a second; from 200,000 on within 150 µs, thirty and more at once.
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
    /// A schedule from <paramref name="start"/> to <paramref name="end"/>, in the stopwatch's ticks; with the gaps of a trace where there is one.
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

    // These two, and all that draws and takes: under the lock.
    private long NextDue => (long)_next;

    private bool IsOver => _disposed || NextDue >= _end;

    /// <summary>Begins the caller's next arrival, once one is due and it is this caller's turn; false when the schedule is over.</summary>
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

    /// <summary>Arrivals that were due and for which no caller was free, drawn off now: the backlog at the end.</summary>
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

    /// <summary>Lets waiting callers go and ends the schedule.</summary>
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

    /// <summary>Takes callers out of the list for what is due by a time, in the order of the arrivals that they get; null for none.</summary>
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

    /// <summary>Takes all of them, to be told that the schedule is over.</summary>
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
                (turns, count) = isOver ? (TakeReleased(), MostTogether) : TakeDue(now, MostTogether);
                left = NextDue - now;
            }

            if (count == MostTogether)
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
