namespace Larder.Server.Topics;

/// <summary>Counts ticks, so that readers can determine when a heartbeat is due without reading a clock.</summary>
/// <param name="heartbeat">The idle time after which a heartbeat is due.</param>
internal sealed class TopicClock(TimeSpan heartbeat)
{
    // The maximum time between two ticks. A heartbeat may be late by a tenth of its interval. The other work of a tick, such as ending the topics of deleted
    // caches, must run four times a second.
    private static readonly TimeSpan s_longestPeriod = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_shortestPeriod = TimeSpan.FromMilliseconds(10);

    private int _now;

    /// <summary>Gets the time between two ticks.</summary>
    public TimeSpan Period { get; } = new(Math.Clamp(heartbeat.Ticks / 10, s_shortestPeriod.Ticks, s_longestPeriod.Ticks));

    /// <summary>Gets the number of idle ticks after which a heartbeat is due.</summary>
    public int HeartbeatTicks => (int)Math.Ceiling(heartbeat / Period);

    /// <summary>Gets the number of ticks so far. It may overflow, but differences between two values remain valid.</summary>
    public int Now => Volatile.Read(ref _now);

    public void Tick() => Interlocked.Increment(ref _now);
}
