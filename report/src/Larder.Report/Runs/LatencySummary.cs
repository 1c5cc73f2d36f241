using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>A histogram's percentiles, in µs, and its curve for the percentile plot.</summary>
internal sealed record LatencySummary
{
    /// <summary>Calls from which on p99.9 rests on at least ten of them (docs/performance.md).</summary>
    public const long SamplesForP999 = 10_000;

    /// <summary>Calls counted, failures included.</summary>
    public required long Samples { get; init; }

    /// <summary>The mean.</summary>
    public double MeanUs { get; init; }

    /// <summary>50 %.</summary>
    public required double P50Us { get; init; }

    /// <summary>90 %.</summary>
    public required double P90Us { get; init; }

    /// <summary>99 %.</summary>
    public required double P99Us { get; init; }

    /// <summary>99.9 %.</summary>
    public required double P999Us { get; init; }

    /// <summary>The slowest call, exact.</summary>
    public required double MaxUs { get; init; }

    /// <summary>Points of the curve, ascending; it ends at the last quantile that ten samples lie above.</summary>
    public IReadOnlyList<QuantilePoint> Curve { get; init; } = [];

    /// <summary>Whether there are enough for p99.9.</summary>
    [JsonIgnore]
    public bool EnoughForP999 => Samples >= SamplesForP999;

    /// <summary>The value of a quantile that a target may name.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is none of 0.5, 0.9, 0.99, 0.999.</exception>
    public double AtUs(double quantile) => quantile switch
    {
        0.5 => P50Us,
        0.9 => P90Us,
        0.99 => P99Us,
        0.999 => P999Us,
        _ => throw new ArgumentOutOfRangeException(nameof(quantile), quantile, "a target is about p50, p90, p99 or p99.9"),
    };
}

/// <summary>A point of a percentile curve.</summary>
internal readonly record struct QuantilePoint([property: JsonPropertyName("q")] double Quantile, [property: JsonPropertyName("us")] double Us)
{
    /// <summary>The quantiles of every curve: five to each nine, 0 to 99.9999 %.</summary>
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
