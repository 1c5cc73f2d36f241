namespace Larder.Server.Fleet;

/// <summary>
/// Decides which commands to send to a node, so that slow commands never queue up on the node and delay other calls. A limited number of light commands and one
/// heavy command may be outstanding. After each heavy command, there is a pause before the next heavy command. The pause is as long as the previous command
/// took. The caller passes all timestamps. Not thread-safe.
/// </summary>
/// <param name="frequency">The number of timestamp units per second.</param>
/// <param name="limits">The limits of the queues.</param>
internal sealed class NodeTurns(long frequency, TurnLimits limits)
{
    /// <summary>
    /// The maximum number of outstanding light commands. Each command processes at most <see cref="FleetLimits.LightElements"/> elements, so together they take
    /// about 4 ms of the node's time. At a round trip of 0.2 ms, this allows 80,000 commands per second.
    /// </summary>
    public const int MaxConcurrentLight = 16;

    // The resolution of a timer. Shorter pauses accumulate until their sum reaches this resolution.
    private static readonly TimeSpan s_shortestRest = TimeSpan.FromMilliseconds(1);

    // The maximum duration that is counted for a command. No command itself takes longer. If a longer duration is measured, the excess has another cause.
    private static readonly TimeSpan s_longestRest = TimeSpan.FromMilliseconds(250);

    private readonly TurnQueue _light = new(limits);
    private readonly TurnQueue _heavy = new(limits);
    private readonly long _shortestRest = (long)(s_shortestRest.TotalSeconds * frequency);
    private readonly long _longestRest = (long)(s_longestRest.TotalSeconds * frequency);
    private long _restsUntil = long.MinValue;
    private long _owedRest;

    /// <summary>Gets the number of waiting commands.</summary>
    public int Waiting => _light.Count + _heavy.Count;

    /// <summary>Gets the number of outstanding light commands.</summary>
    public int RunningLight { get; private set; }

    /// <summary>Gets the number of outstanding heavy commands: 0 or 1.</summary>
    public int RunningHeavy { get; private set; }

    /// <summary>Queues a command.</summary>
    /// <returns>The same as <see cref="TurnQueue.Add"/>.</returns>
    public IQueuedCommand? Add(IQueuedCommand taker) => (taker.Effort == Effort.Heavy ? _heavy : _light).Add(taker);

    /// <summary>
    /// Dequeues the next command to send. Returns null if no command may be sent now. The command counts as outstanding until <see cref="End"/> is called.
    /// </summary>
    public IQueuedCommand? Next(long now)
    {
        if (RunningLight < MaxConcurrentLight && _light.Take() is { } light)
        {
            RunningLight++;
            return light;
        }

        if (RunningHeavy == 0 && now >= _restsUntil && _heavy.Take() is { } heavy)
        {
            RunningHeavy++;
            return heavy;
        }

        return null;
    }

    /// <summary>Records that an outstanding command has ended, with or without success.</summary>
    /// <param name="effort">The command's effort.</param>
    /// <param name="sentAt">The time at which the command was sent.</param>
    /// <param name="now">The current time.</param>
    public void End(Effort effort, long sentAt, long now)
    {
        if (effort != Effort.Heavy)
        {
            RunningLight--;
            return;
        }

        RunningHeavy--;
        _owedRest += Math.Clamp(now - sentAt, 0, _longestRest);
        if (_owedRest >= _shortestRest)
        {
            _restsUntil = now + Math.Min(_owedRest, _longestRest);
            _owedRest = 0;
        }
    }

    /// <summary>Removes the waiting commands whose client has disconnected or whose deadline has passed, and adds them to <paramref name="over"/>.</summary>
    public void TakeOver(long now, List<IQueuedCommand> over)
    {
        _light.TakeOver(now, over);
        _heavy.TakeOver(now, over);
    }

    /// <summary>Returns the remaining pause in timestamp units, or 0 if there is no pause.</summary>
    public long RemainingPause(long now) => Math.Max(_restsUntil - now, 0);
}
