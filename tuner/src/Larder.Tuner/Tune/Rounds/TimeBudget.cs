namespace Larder.Tuner.Tune.Rounds;

/// <summary>
/// Distributes the time of a run, so that the run ends on time regardless of its results. Each round gets an equal part of the remaining time, minus the time
/// that is reserved for later phases and the observed overhead of a round. The only input besides the arguments is the clock.
/// </summary>
internal sealed class TimeBudget(TimeSpan total, TimeProvider clock, double? seconds = null)
{
    /// <summary>
    /// The minimum length of a round in seconds, because a shorter round has too little data. It applies even if the run then exceeds its budget.
    /// </summary>
    public const double MinSeconds = 0.3;

    /// <summary>The maximum length of a round in seconds, because a longer round adds no information.</summary>
    public const double MaxSeconds = 4;

    /// <summary>The initial estimate of the overhead of a round, which includes the warm-up, opening and closing the client, and late responses.</summary>
    private const double ExpectedOverheadSeconds = 0.4;

    private readonly long _begun = clock.GetTimestamp();
    private double _overheadSeconds = ExpectedOverheadSeconds;

    /// <summary>Gets the time since the run began.</summary>
    public TimeSpan Spent => clock.GetElapsedTime(_begun);

    /// <summary>Gets the time left, at least 0.</summary>
    public TimeSpan Left => total > Spent ? total - Spent : TimeSpan.Zero;

    /// <summary>
    /// Returns the length of the next round in measured seconds. <paramref name="roundsLeft"/> is the number of remaining rounds, including this one. The time
    /// <paramref name="kept"/> is reserved for later phases.
    /// </summary>
    public double RoundSeconds(int roundsLeft, TimeSpan kept) =>
        seconds ?? Math.Clamp(((Left - kept).TotalSeconds / Math.Max(1, roundsLeft)) - _overheadSeconds, MinSeconds, MaxSeconds);

    /// <summary>
    /// Returns the length of a round in the open loop in measured seconds. The remaining time is divided equally into <paramref name="unitsLeft"/> units, and
    /// this round gets <paramref name="units"/> of them. If the percentile of the round requires <paramref name="needed"/> seconds, the round gets up to twice
    /// this time. It is never shorter than <paramref name="least"/>.
    /// </summary>
    public double ScheduledSeconds(double unitsLeft, double units, double needed, double aroundIt, TimeSpan kept, double least = MinSeconds)
    {
        if (seconds is { } given)
        {
            return given * units;
        }

        double even = ((Left - kept).TotalSeconds / Math.Max(units, unitsLeft) * units) - _overheadSeconds - aroundIt;
        return Math.Max(least, Math.Min(MaxSeconds * units, Math.Max(even, Math.Min(needed, 2 * even))));
    }

    /// <summary>Returns the expected total duration of <paramref name="rounds"/> rounds of the given length.</summary>
    public TimeSpan Expected(int rounds, double measuredSeconds) => TimeSpan.FromSeconds(rounds * (measuredSeconds + _overheadSeconds));

    /// <summary>Records the total duration of a round.</summary>
    public void OnRound(TimeSpan took, double measuredSeconds)
    {
        // The overhead of rounds varies, so it is a moving average over about the last ten rounds.
        double overhead = Math.Clamp(took.TotalSeconds - measuredSeconds, 0, 10);
        _overheadSeconds += (overhead - _overheadSeconds) / 10;
    }
}
