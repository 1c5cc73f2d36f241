using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>A step of the search: so many callers over so many channels, with the measurement of each pass. What is shown are medians.</summary>
internal sealed record SearchRung
{
    /// <summary>Concurrent callers; the client's cap is the same number.</summary>
    public required int Callers { get; init; }

    /// <summary>Least number of channels; 0 where the client's configuration decides.</summary>
    public int Channels { get; init; }

    /// <summary>One for each pass, at least one.</summary>
    public required IReadOnlyList<Measurement> Repetitions { get; init; }

    /// <summary>What limits at this step; null where nobody judged (a peer's).</summary>
    public StepVerdict? Verdict { get; init; }

    /// <summary>Median throughput.</summary>
    [JsonIgnore]
    public double RequestsPerSecond => Middle(one => one.RequestsPerSecond);

    /// <summary>Median of the passes' p50, in µs; the others alike.</summary>
    [JsonIgnore]
    public double P50Us => Middle(one => one.Latency.P50Us);

    /// <summary>99 %.</summary>
    [JsonIgnore]
    public double P99Us => Middle(one => one.Latency.P99Us);

    /// <summary>99.9 %.</summary>
    [JsonIgnore]
    public double P999Us => Middle(one => one.Latency.P999Us);

    /// <summary>Failed calls of all passes.</summary>
    [JsonIgnore]
    public long Errors => Repetitions.Sum(one => one.Errors.Values.Sum());

    /// <summary>Whether more than half of the passes were disturbed, so that the medians may be too.</summary>
    [JsonIgnore]
    public bool Noisy => Repetitions.Count(one => one.Noisy) * 2 > Repetitions.Count;

    /// <summary>The median of some figure of the passes.</summary>
    public double Middle(Func<Measurement, double> figure) => Median.Of(Repetitions.Select(figure));

    /// <summary>The median of those passes that know the figure; null when none does.</summary>
    public double? MiddleOfKnown(Func<Measurement, double?> figure) => Median.OfKnown(Repetitions.Select(figure));
}
