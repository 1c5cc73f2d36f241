namespace Larder.Report.Runs;

/// <summary>A run's answer: the highest scheduled rate that two runs in a row of their own confirmed, and the smallest cap that carries it.</summary>
internal sealed record ProvedRate
{
    /// <summary>Calls due a second.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>The client's cap.</summary>
    public required int Cap { get; init; }

    /// <summary>The target's percentile in both runs together, in µs.</summary>
    public required double TargetUs { get; init; }

    /// <summary>The lower bound of its interval of 95 %.</summary>
    public required double LowUs { get; init; }

    /// <summary>The upper bound; null where the calls were too few to have one.</summary>
    public double? HighUs { get; init; }

    /// <summary>The target's percentile in each of the runs, in µs: both within the limit.</summary>
    public IReadOnlyList<double> RunsUs { get; init; } = [];

    /// <summary>The lowest higher rate that did not keep the target; null where none was tried.</summary>
    public double? BreaksAt { get; init; }
}
