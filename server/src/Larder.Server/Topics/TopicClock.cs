namespace Larder.Server.Topics;

/// <summary>Counts ticks, so that readers know when a heartbeat is due and none reads a clock.</summary>
/// <param name="heartbeat">The silence after which one is due.</param>
internal sealed class TopicClock(TimeSpan heartbeat)
{
    // A tenth more of silence than was asked for is as good; what else is done at each tick, as ending what a deleted cache had, is done four times a second.
    private static readonly TimeSpan s_longestPeriod = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_shortestPeriod = TimeSpan.FromMilliseconds(10);

    private int _now;

    /// <summary>The time between two ticks.</summary>
    public TimeSpan Period { get; } = new(Math.Clamp(heartbeat.Ticks / 10, s_shortestPeriod.Ticks, s_longestPeriod.Ticks));

    /// <summary>Ticks of silence after which a heartbeat is due.</summary>
    public int HeartbeatTicks => (int)Math.Ceiling(heartbeat / Period);

    /// <summary>The ticks so far. It wraps; differences hold.</summary>
    public int Now => Volatile.Read(ref _now);

    /// <summary>One tick more.</summary>
    public void Tick() => Interlocked.Increment(ref _now);
}
