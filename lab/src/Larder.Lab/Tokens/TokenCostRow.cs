using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Lab.Tokens;

/// <summary>The measurements of two servers under one load. The first server has no token file.</summary>
internal sealed record TokenCostRow(string Transport, Rung Rung, IReadOnlyList<Round> Without, IReadOnlyList<Round> With)
{
    /// <summary>Gets the ratio of the second server's median calls per second to those of the first server.</summary>
    public double RateRatio => Rate(With) / Rate(Without);

    /// <summary>
    /// Gets the median of the ratios of adjacent turns. Slow changes in the speed of the machine affect it less than <see cref="RateRatio"/>.
    /// </summary>
    public double PairRatio => Median.Of(Pairs);

    /// <summary>
    /// Gets the ratio of the first server's CPU time per call to that of the second server. If it is below 1, a call to the second server costs more.
    /// </summary>
    public double? CostRatio => MicrosecondsPerCall(Without) / MicrosecondsPerCall(With);

    private IEnumerable<double> Pairs => With.Zip(Without, static (with, without) => with.RequestsPerSecond / without.RequestsPerSecond);

    /// <summary>Returns the header of the Markdown table.</summary>
    public static IReadOnlyList<string> Head(bool areAlike)
    {
        (string first, string second) = areAlike ? ("first server", "second server") : ("no token file", "token file");
        return
        [
            $"| transport | callers | {first}, requests/s | {second}, requests/s | ratio of medians | median ratio of rounds | lowest | highest "
                + $"| {first}, server µs/call | {second}, server µs/call | ratio of server µs/call |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        ];
    }

    public string Line() => string.Create(
        CultureInfo.InvariantCulture,
        $"| {Transport} | {Rung} | {Rate(Without):N0} | {Rate(With):N0} | {RateRatio:0.000} | {PairRatio:0.000} | {Pairs.Min():0.000} | {Pairs.Max():0.000} "
            + $"| {MicrosecondsPerCall(Without):0.00} | {MicrosecondsPerCall(With):0.00} | {CostRatio:0.000} |");

    private static double Rate(IReadOnlyList<Round> rounds) => Median.Of(rounds.Select(static round => round.RequestsPerSecond));

    private static double? MicrosecondsPerCall(IReadOnlyList<Round> rounds) =>
        Median.OfKnown(rounds.Select(static round => round.ServerCpu / round.RequestsPerSecond * 1e6));
}
