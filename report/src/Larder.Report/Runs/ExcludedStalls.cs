using System.Globalization;
using System.Text.Json.Serialization;
using Larder.Report.Drawing;

namespace Larder.Report.Runs;

/// <summary>
/// The time that is excluded from a percentile, because the stall meter recorded stalls of the machine. Only the meter determines this time. The latencies do
/// not affect it.
/// </summary>
internal sealed record ExcludedStalls
{
    /// <summary>Gets the number of stalls.</summary>
    public required int Stalls { get; init; }

    /// <summary>Gets the total length of the stalls, in s.</summary>
    public required double StalledSeconds { get; init; }

    /// <summary>Gets the excluded time in s: the stalls, and the time until the calls that they delayed have completed.</summary>
    public required double Seconds { get; init; }

    /// <summary>Gets the measured time, including the excluded time, in s.</summary>
    public required double OfSeconds { get; init; }

    /// <summary>Gets the percentile over the whole measured time, in µs; null if it falls on a failed or unstarted call.</summary>
    public double? WithStallsUs { get; init; }

    /// <summary>Gets the excluded fraction of the measured time.</summary>
    [JsonIgnore]
    public double Share => OfSeconds > 0 ? Seconds / OfSeconds : 0;

    /// <summary>Returns a summary as text.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"excluding {Stalls:N0} stall{(Stalls == 1 ? "" : "s")} of the machine ({StalledSeconds * 1000:N0} ms in total, ")
        + $"{Show.Percent(Share, "0.#")} of the time excluded; {Show.Us(WithStallsUs)} with stalls)";
}
