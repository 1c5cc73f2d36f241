using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>A step of the search for the knee: a number of callers and channels, with the measurement of each pass. The displayed values are medians.</summary>
internal sealed record SearchRung
{
    /// <summary>Gets the number of concurrent callers, which is also the client's concurrency limit.</summary>
    public required int Callers { get; init; }

    /// <summary>Gets the minimum number of channels; 0 for the default of the client's configuration.</summary>
    public int Channels { get; init; }

    /// <summary>Gets the measurement of each pass. There is at least one pass.</summary>
    public required IReadOnlyList<Measurement> Repetitions { get; init; }

    /// <summary>Gets the bottleneck of this step. Null for peers, whose bottleneck is not determined.</summary>
    public StepVerdict? Verdict { get; init; }

    /// <summary>Gets the median throughput.</summary>
    [JsonIgnore]
    public double RequestsPerSecond => Middle(one => one.RequestsPerSecond);

    /// <summary>Gets the median of the passes' p50, in µs.</summary>
    [JsonIgnore]
    public double P50Us => Middle(one => one.Latency.P50Us);

    /// <summary>Gets the median of the passes' p99, in µs.</summary>
    [JsonIgnore]
    public double P99Us => Middle(one => one.Latency.P99Us);

    /// <summary>Gets the median of the passes' p99.9, in µs.</summary>
    [JsonIgnore]
    public double P999Us => Middle(one => one.Latency.P999Us);

    /// <summary>Gets the number of failed calls of all passes.</summary>
    [JsonIgnore]
    public long Errors => Repetitions.Sum(one => one.Errors.Values.Sum());

    /// <summary>Gets whether more than half of the passes were disturbed. The medians may then be disturbed as well.</summary>
    [JsonIgnore]
    public bool Noisy => Repetitions.Count(one => one.Noisy) * 2 > Repetitions.Count;

    /// <summary>Returns the median of a value over the passes.</summary>
    public double Middle(Func<Measurement, double> figure) => Median.Of(Repetitions.Select(figure));

    /// <summary>Returns the median of a value over the passes in which it is known. Returns null if it is unknown in all passes.</summary>
    public double? MedianOfKnown(Func<Measurement, double?> figure) => Median.OfKnown(Repetitions.Select(figure));
}
