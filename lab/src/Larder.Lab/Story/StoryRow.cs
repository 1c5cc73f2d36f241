using System.Text.Json.Serialization;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>One load of an experiment with the measurement of each pass. The displayed values are medians.</summary>
internal sealed record StoryRow
{
    /// <summary>Gets the name, such as <c>5 channels</c>.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// Gets the name of the row's line in the graph: the client or library, or another option that was varied. Empty if there is only one line.
    /// </summary>
    public string Series { get; init; } = "";

    /// <summary>Gets the position of the row on the x axis: the number of channels, callers or processes.</summary>
    public double X { get; init; }

    /// <summary>Gets the measurement of each pass; empty if the load failed.</summary>
    public required IReadOnlyList<Measurement> Passes { get; init; }

    /// <summary>Gets the published result; null if there is none.</summary>
    public Published? Published { get; init; }

    [JsonIgnore]
    public double RequestsPerSecond => Middle(one => one.RequestsPerSecond);

    /// <summary>Gets the share of failed calls.</summary>
    [JsonIgnore]
    public double FailedShare =>
        Passes.Sum(one => one.Errors.Values.Sum()) / (double)Math.Max(1, Passes.Sum(one => one.Latency.Samples));

    /// <summary>Gets the latency of the slowest call of all passes, in µs.</summary>
    [JsonIgnore]
    public double SlowestUs => Passes.Max(one => one.Latency.MaxUs);

    /// <summary>Gets the number of open connections; null if unknown.</summary>
    [JsonIgnore]
    public double? Connections => Median.OfKnown(Passes.Select(one => (double?)one.Connections));

    /// <summary>Gets whether there were enough calls for a p99.9, which means that at least ten calls are above it.</summary>
    [JsonIgnore]
    public bool EnoughForP999 => Passes.Sum(one => one.Latency.Samples) >= LatencySummary.SamplesForP999;

    /// <summary>Gets whether other programs disturbed more than half of the passes.</summary>
    [JsonIgnore]
    public bool Noisy => Passes.Count(one => one.Noisy) * 2 > Passes.Count;

    /// <summary>Returns the median of a value over the passes. There must be at least one pass.</summary>
    public double Middle(Func<Measurement, double> figure) => Median.Of(Passes.Select(figure));
}
