namespace Larder.Tuner.Tune.Rounds;

/// <summary>
/// Shares out the time that a run may take, so that it ends within it whatever it finds: every round gets an even part of what is left, less what is kept for
/// later phases and less what rounds have been seen to cost beyond their measured time. Pure but for its clock.
/// </summary>
internal sealed class TimeBudget(TimeSpan total, TimeProvider clock, double? seconds = null)
{
    /// <summary>Below it a round says too little, even where the whole then takes longer.</summary>
    public const double LeastSeconds = 0.3;

    /// <summary>Beyond it a round says no more.</summary>
    public const double MostSeconds = 4;

    /// <summary>Cost of a round beyond its measured time, before any has been seen: warm-up, opening, closing, late answers.</summary>
    private const double ExpectedOverheadSeconds = 0.4;

    private readonly long _begun = clock.GetTimestamp();
    private double _overheadSeconds = ExpectedOverheadSeconds;

    /// <summary>Time since the run began.</summary>
    public TimeSpan Spent => clock.GetElapsedTime(_begun);

    /// <summary>What is left; not below 0.</summary>
    public TimeSpan Left => total > Spent ? total - Spent : TimeSpan.Zero;

    /// <summary>Measured seconds of the next round, when so many are still to be run before <paramref name="kept"/> begins.</summary>
    public double RoundSeconds(int roundsLeft, TimeSpan kept) =>
        seconds ?? Math.Clamp(((Left - kept).TotalSeconds / Math.Max(1, roundsLeft)) - _overheadSeconds, LeastSeconds, MostSeconds);

    /// <summary>
    /// Measured seconds of a round on a schedule that wants <paramref name="needed"/> for its percentile: an even part of what is left, where so many units are
    /// still to come and this one counts as <paramref name="units"/>, and what it needs where that is at most twice as much; never less than
    /// <paramref name="least"/>.
    /// </summary>
    public double ScheduledSeconds(double unitsLeft, double units, double needed, double aroundIt, TimeSpan kept, double least = LeastSeconds)
    {
        if (seconds is { } given)
        {
            return given * units;
        }

        double even = ((Left - kept).TotalSeconds / Math.Max(units, unitsLeft) * units) - _overheadSeconds - aroundIt;
        return Math.Max(least, Math.Min(MostSeconds * units, Math.Max(even, Math.Min(needed, 2 * even))));
    }

    /// <summary>How long so many rounds of that length will take.</summary>
    public TimeSpan Expected(int rounds, double measuredSeconds) => TimeSpan.FromSeconds(rounds * (measuredSeconds + _overheadSeconds));

    /// <summary>Takes note of what a round took in all.</summary>
    public void OnRound(TimeSpan took, double measuredSeconds)
    {
        // Rounds differ: the average follows the last ten or so.
        double overhead = Math.Clamp(took.TotalSeconds - measuredSeconds, 0, 10);
        _overheadSeconds += (overhead - _overheadSeconds) / 10;
    }
}
