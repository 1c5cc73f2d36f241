namespace Larder.Tuner.Tune.Rounds;

/// <summary>
/// Distributes the time of a run so that it ends on time whatever it finds. Each round gets an equal part of the time left, minus the time reserved for later
/// phases and the observed overhead of a round. Its only input besides the arguments is the clock.
/// </summary>
internal sealed class TimeBudget(TimeSpan total, TimeProvider clock, double? seconds = null)
{
    /// <summary>The minimum length of a round in seconds; a shorter one has too little data. It applies even if the run then exceeds its budget.</summary>
    public const double MinSeconds = 0.3;

    /// <summary>The maximum length of a round in seconds; a longer one adds no information.</summary>
    public const double MaxSeconds = 4;

    /// <summary>The initial estimate of a round's overhead: warm-up, opening, closing, late responses.</summary>
    private const double ExpectedOverheadSeconds = 0.4;

    private readonly long _begun = clock.GetTimestamp();
    private double _overheadSeconds = ExpectedOverheadSeconds;

    /// <summary>The time since the run began.</summary>
    public TimeSpan Spent => clock.GetElapsedTime(_begun);

    /// <summary>The time left, at least 0.</summary>
    public TimeSpan Left => total > Spent ? total - Spent : TimeSpan.Zero;

    /// <summary>
    /// Returns the length of the next round in measured seconds, if this many rounds remain before the time reserved by <paramref name="kept"/>.
    /// </summary>
    public double RoundSeconds(int roundsLeft, TimeSpan kept) =>
        seconds ?? Math.Clamp(((Left - kept).TotalSeconds / Math.Max(1, roundsLeft)) - _overheadSeconds, MinSeconds, MaxSeconds);

    /// <summary>
    /// Returns the length of a scheduled round in measured seconds. It is an equal part of the time left, where <paramref name="unitsLeft"/> units remain and
    /// this round counts as <paramref name="units"/>. If its percentile requires <paramref name="needed"/> seconds, it gets up to twice that part. It is never
    /// shorter than <paramref name="least"/>.
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

    /// <summary>Returns the expected duration of this many rounds of the given length.</summary>
    public TimeSpan Expected(int rounds, double measuredSeconds) => TimeSpan.FromSeconds(rounds * (measuredSeconds + _overheadSeconds));

    /// <summary>Records the total duration of a round.</summary>
    public void OnRound(TimeSpan took, double measuredSeconds)
    {
        // Rounds vary, so this is a moving average over about the last ten.
        double overhead = Math.Clamp(took.TotalSeconds - measuredSeconds, 0, 10);
        _overheadSeconds += (overhead - _overheadSeconds) / 10;
    }
}
