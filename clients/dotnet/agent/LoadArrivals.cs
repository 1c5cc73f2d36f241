using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// The open loop's schedule: arrivals due at times fixed beforehand by the rate alone, handed to callers in order. A caller that comes
/// too late for an arrival gets it at once, with the time at which it was due. At most one arrival per caller waits here;
/// the others are not yet drawn, so the schedule needs no queue of its own.
/// </summary>
internal sealed class LoadArrivals : IDisposable
{
    private readonly Lock _lock = new();
    private readonly Queue<(long Due, TaskCompletionSource Caller)> _waiting = new();
    private readonly ManualResetEventSlim _someoneWaits = new();
    private readonly double _ticksPerArrival;
    private readonly bool _uniform;
    private readonly long _end;
    private readonly long _start;
    private readonly double _ratePerSecond;
    private readonly LoadTrace? _trace;
    private LoadRandom _random;
    private double _next;
    private long _drawn;
    private volatile bool _disposed;

    /// <summary>A schedule from <paramref name="start"/> to <paramref name="end"/>, in the stopwatch's ticks; with the gaps of a trace where there is one.</summary>
    public LoadArrivals(double ratePerSecond, bool uniform, long seed, long start, long end, LoadTrace? trace = null)
    {
        (_start, _ratePerSecond, _trace) = (start, ratePerSecond, trace);
        _ticksPerArrival = Stopwatch.Frequency / ratePerSecond;
        _uniform = uniform;
        _random = new LoadRandom(seed, -1);
        _next = start;
        _end = end;
        new Thread(Pace) { IsBackground = true, Name = "load arrivals" }.Start();
    }

    /// <summary>When the next arrival is due, once it is; null when the schedule is over.</summary>
    public async ValueTask<long?> NextAsync()
    {
        long due;
        TaskCompletionSource? wait = null;
        lock (_lock)
        {
            due = Draw();
            if (due >= _end || _disposed)
            {
                return null;
            }

            if (due > Stopwatch.GetTimestamp())
            {
                wait = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _waiting.Enqueue((due, wait));
                _someoneWaits.Set();
            }
        }

        if (wait is not null)
        {
            await wait.Task.ConfigureAwait(false);
        }

        return due;
    }

    /// <summary>Arrivals that were due and that no caller has taken, drawn off now: the backlog at the end.</summary>
    public long DrainUnstarted(long now)
    {
        lock (_lock)
        {
            long count = 0;
            while (Draw() < Math.Min(now, _end))
            {
                count++;
            }

            return count;
        }
    }

    /// <summary>Lets waiting callers go and ends the schedule.</summary>
    public void Dispose()
    {
        _disposed = true;
        _someoneWaits.Set();
    }

    private long Draw()
    {
        var due = (long)_next;
        _drawn++;
        _next = _trace is not null ? _start + _trace.DueTicks(_drawn, _ratePerSecond)
            : _next + (_uniform ? _ticksPerArrival : -Math.Log(1 - _random.Unit()) * _ticksPerArrival);
        return due;
    }

    /// <summary>Wakes each caller when its arrival is due. They wait in the order of their times.</summary>
    private void Pace()
    {
        while (!_disposed)
        {
            var (due, caller) = Peek();
            if (caller is null)
            {
                _someoneWaits.Wait();
                continue;
            }

            var left = due - Stopwatch.GetTimestamp();
            if (left > 0)
            {
                PreciseSleep.For(TimeSpan.FromSeconds((double)left / Stopwatch.Frequency));
                continue;
            }

            lock (_lock)
            {
                _waiting.Dequeue();
            }

            caller.SetResult();
        }

        ReleaseAll();
        _someoneWaits.Dispose();
    }

    private (long Due, TaskCompletionSource? Caller) Peek()
    {
        lock (_lock)
        {
            if (_waiting.TryPeek(out var first))
            {
                return first;
            }

            if (!_disposed)
            {
                _someoneWaits.Reset();
            }

            return (0, null);
        }
    }

    private void ReleaseAll()
    {
        lock (_lock)
        {
            while (_waiting.TryDequeue(out var entry))
            {
                entry.Caller.SetResult();
            }
        }
    }
}
