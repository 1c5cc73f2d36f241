using System.Text.Json.Serialization;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>One load of an experiment, measured in each of its passes. What is shown are medians.</summary>
internal sealed record StoryRow
{
    /// <summary>What it is: <c>5 channels</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Its line in the graph: who was driven, or what was varied beside the sweep; empty for the only one.</summary>
    public string Series { get; init; } = "";

    /// <summary>Its place across: channels, callers, processes.</summary>
    public double X { get; init; }

    /// <summary>The figures of each pass; none where it failed.</summary>
    public required IReadOnlyList<Measurement> Passes { get; init; }

    /// <summary>What was published of it; null for nothing.</summary>
    public Published? Published { get; init; }

    /// <summary>Calls a second.</summary>
    [JsonIgnore]
    public double RequestsPerSecond => Middle(one => one.RequestsPerSecond);

    /// <summary>Part of the calls that failed.</summary>
    [JsonIgnore]
    public double FailedShare =>
        Passes.Sum(one => one.Errors.Values.Sum()) / (double)Math.Max(1, Passes.Sum(one => one.Latency.Samples));

    /// <summary>The slowest call of all passes, in µs.</summary>
    [JsonIgnore]
    public double SlowestUs => Passes.Max(one => one.Latency.MaxUs);

    /// <summary>Open connections; null where nobody told.</summary>
    [JsonIgnore]
    public double? Connections => Median.OfKnown(Passes.Select(one => (double?)one.Connections));

    /// <summary>Whether p99.9 rests on ten calls and more.</summary>
    [JsonIgnore]
    public bool EnoughForP999 => Passes.Sum(one => one.Latency.Samples) >= LatencySummary.SamplesForP999;

    /// <summary>Whether other programs disturbed more than half of the passes.</summary>
    [JsonIgnore]
    public bool Noisy => Passes.Count(one => one.Noisy) * 2 > Passes.Count;

    /// <summary>The median of a figure of the passes; there must be one.</summary>
    public double Middle(Func<Measurement, double> figure) => Median.Of(Passes.Select(figure));
}
