using System.Diagnostics;
using Larder.Agent;

namespace Larder.Lab.Known;

/// <summary>Runs a schedule in real time. Completes each call at its computed time, accurate to tens of µs. Runs until the process ends.</summary>
internal sealed class AnalyticClock
{
    // An object instead of a <c>Lock</c>, because the waiting thread needs <c>Monitor.Pulse</c>.
    private readonly object _lock = new();
    private readonly PriorityQueue<TaskCompletionSource, double> _waiting = new();
    private readonly AnalyticSchedule _schedule;
    private readonly long _begun = Stopwatch.GetTimestamp();

    /// <summary>Starts the clock.</summary>
    public AnalyticClock(AnalyticSchedule schedule)
    {
        _schedule = schedule;
        new Thread(Pace) { IsBackground = true, Name = "known server" }.Start();
    }

    /// <summary>Returns a task that completes when a call that arrives now has been served. Returns null if too many calls are waiting.</summary>
    public Task? TryServe()
    {
        var served = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            if (_waiting.Count >= AnalyticWork.MaxWaiting)
            {
                return null;
            }

            _waiting.Enqueue(served, _schedule.Answer(Now()));
            Monitor.Pulse(_lock);
        }

        return served.Task;
    }

    private double Now() => Stopwatch.GetElapsedTime(_begun).TotalSeconds;

    private void Pace()
    {
        while (true)
        {
            TaskCompletionSource? due = null;
            double left;
            lock (_lock)
            {
                double at;
                while (!_waiting.TryPeek(out _, out at))
                {
                    Monitor.Wait(_lock);
                }

                left = at - Now();
                if (left <= 0)
                {
                    due = _waiting.Dequeue();
                }
            }

            due?.SetResult();
            if (left > 0)
            {
                // Sleeps at most one millisecond, because a call that arrives later may be due before this one.
                PreciseSleep.For(TimeSpan.FromSeconds(Math.Min(left, 0.001)));
            }
        }
    }
}
