using System.Diagnostics;

namespace Larder.Wire.Threads;

/// <summary>The system's clock, with timers that need no thread of the pool: their callbacks run on <see cref="DedicatedThreads"/>.</summary>
internal sealed class DedicatedTime : TimeProvider
{
    private DedicatedTime()
    {
    }

    /// <summary>The one that there is.</summary>
    public static DedicatedTime Instance { get; } = new();

    /// <summary>A timestamp of now.</summary>
    public static long Now => Stopwatch.GetTimestamp();

    /// <summary>This clock in place of the system's; any other is left as it is.</summary>
    public static TimeProvider For(TimeProvider time) => ReferenceEquals(time, System) ? Instance : time;

    /// <summary>A time in ticks of timestamps.</summary>
    public static long TicksOf(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);

    /// <summary>The whole milliseconds until a timestamp, rounded up; at most a day, after which the waiter checks again.</summary>
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
