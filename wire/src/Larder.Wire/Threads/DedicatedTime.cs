using System.Diagnostics;

namespace Larder.Wire.Threads;

/// <summary>The system clock with timers that do not depend on the thread pool, because their callbacks run on <see cref="DedicatedThreads"/>.</summary>
internal sealed class DedicatedTime : TimeProvider
{
    private DedicatedTime()
    {
    }

    /// <summary>Gets the only instance.</summary>
    public static DedicatedTime Instance { get; } = new();

    /// <summary>Gets the current timestamp.</summary>
    public static long Now => Stopwatch.GetTimestamp();

    /// <summary>Returns this clock if the given clock is the system clock. Otherwise returns the given clock.</summary>
    public static TimeProvider For(TimeProvider time) => ReferenceEquals(time, System) ? Instance : time;

    /// <summary>Converts a duration to timestamp ticks.</summary>
    public static long TicksOf(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);

    /// <summary>
    /// Returns the time until a timestamp, rounded up to whole milliseconds. The result is at most a day. After this time, the waiting thread checks again.
    /// </summary>
    public static TimeSpan WaitUntil(long timestamp)
    {
        double milliseconds = Math.Ceiling((timestamp - Now) * 1_000.0 / Stopwatch.Frequency);
        return TimeSpan.FromMilliseconds(Math.Clamp(milliseconds, 0, TimeSpan.FromDays(1).TotalMilliseconds));
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        DedicatedTimer timer = new(DedicatedThreads.Shared, callback, state);
        if (dueTime != Timeout.InfiniteTimeSpan)
        {
            timer.Change(dueTime, period);
        }

        return timer;
    }
}
