using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>The percentiles of a histogram in µs, and the curve of the histogram for the percentile graph.</summary>
internal sealed record LatencySummary
{
    /// <summary>The minimum number of calls for p99.9. At least ten calls are then above p99.9 (docs/performance.md).</summary>
    public const long SamplesForP999 = 10_000;

    /// <summary>Gets the number of calls, including failures.</summary>
    public required long Samples { get; init; }

    /// <summary>Gets the mean.</summary>
    public double MeanUs { get; init; }

    /// <summary>Gets the 50th percentile.</summary>
    public required double P50Us { get; init; }

    /// <summary>Gets the 90th percentile.</summary>
    public required double P90Us { get; init; }

    /// <summary>Gets the 99th percentile.</summary>
    public required double P99Us { get; init; }

    /// <summary>Gets the 99.9th percentile.</summary>
    public required double P999Us { get; init; }

    /// <summary>Gets the exact latency of the slowest call.</summary>
    public required double MaxUs { get; init; }

    /// <summary>Gets the points of the curve in ascending order. The curve ends at the last quantile that has at least ten samples above it.</summary>
    public IReadOnlyList<QuantilePoint> Curve { get; init; } = [];

    /// <summary>Gets whether there are enough samples for p99.9.</summary>
    [JsonIgnore]
    public bool EnoughForP999 => Samples >= SamplesForP999;

    /// <summary>Returns the value of a quantile. Only quantiles that a target can use are supported.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The quantile is not 0.5, 0.9, 0.99 or 0.999.</exception>
    public double AtUs(double quantile) => quantile switch
    {
        0.5 => P50Us,
        0.9 => P90Us,
        0.99 => P99Us,
        0.999 => P999Us,
        _ => throw new ArgumentOutOfRangeException(nameof(quantile), quantile, "The quantile of a target must be p50, p90, p99 or p99.9."),
    };
}

/// <summary>A point of a percentile curve.</summary>
internal readonly record struct QuantilePoint([property: JsonPropertyName("q")] double Quantile, [property: JsonPropertyName("us")] double Us)
{
    /// <summary>
    /// Gets the quantiles of every curve, from 0 to 99.9999 %. There are five quantiles from 90 % to just below 99 %, five from 99 % to just below 99.9 %, and
    /// so on.
    /// </summary>
    public static IReadOnlyList<double> Quantiles { get; } =
    [
        0.0,
        .. from nine in Enumerable.Range(0, 6)
        from step in new[] { 1.0, 0.7, 0.5, 0.3, 0.2 }
        let rest = step * Math.Pow(10, -nine)
        where rest < 1
        select Math.Round(1 - rest, 7),
        0.999999,
    ];
}
