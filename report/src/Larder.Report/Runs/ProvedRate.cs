namespace Larder.Report.Runs;

/// <summary>
/// The result of a run: the highest scheduled rate that two consecutive confirmation runs achieved, and the smallest concurrency limit that was confirmed at
/// this rate.
/// </summary>
internal sealed record ProvedRate
{
    /// <summary>Gets the scheduled calls per second.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Gets the client's concurrency limit.</summary>
    public required int Cap { get; init; }

    /// <summary>Gets the latency at the target's percentile over both confirmation runs together, in µs.</summary>
    public required double TargetUs { get; init; }

    /// <summary>Gets the lower bound of the 95 % confidence interval of <see cref="TargetUs"/>, in µs.</summary>
    public required double LowUs { get; init; }

    /// <summary>
    /// Gets the upper bound of the 95 % confidence interval of <see cref="TargetUs"/>, in µs; null if there were too few calls for an upper bound.
    /// </summary>
    public double? HighUs { get; init; }

    /// <summary>Gets the latency at the target's percentile in each confirmation run, in µs. Both values are within the target.</summary>
    public IReadOnlyList<double> RunsUs { get; init; } = [];

    /// <summary>Gets the lowest rate above the proved rate that missed the target; null if no higher rate missed it.</summary>
    public double? BreaksAt { get; init; }

    /// <summary>Gets the stalled time of both confirmation runs that the percentile does not include; null if no time is excluded.</summary>
    public ExcludedStalls? Excluded { get; init; }

    /// <summary>
    /// Gets whether the search ended because its time was used up. A higher rate than the confirmed one may then meet the target too. False in files of older
    /// versions.
    /// </summary>
    public bool OutOfTime { get; init; }
}
