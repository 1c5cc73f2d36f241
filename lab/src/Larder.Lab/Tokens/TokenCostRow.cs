using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Lab.Tokens;

/// <summary>The turns of two servers under one load, the first without a file of tokens.</summary>
internal sealed record TokenCostRow(string Transport, Rung Rung, IReadOnlyList<Round> Without, IReadOnlyList<Round> With)
{
    /// <summary>Calls a second, the second's median by the first's.</summary>
    public double RateRatio => Rate(With) / Rate(Without);

    /// <summary>The ratio of each pair of neighbouring turns: its median is steadier where the machine's speed changes slowly.</summary>
    public double PairRatio => Median.Of(Pairs);

    /// <summary>Server's processor time of a call, the first's by the second's: below 1 the second's calls cost more.</summary>
    public double? CostRatio => MicrosecondsPerCall(Without) / MicrosecondsPerCall(With);

    private IEnumerable<double> Pairs => With.Zip(Without, static (with, without) => with.RequestsPerSecond / without.RequestsPerSecond);

    /// <summary>The head of a Markdown table.</summary>
    public static IReadOnlyList<string> Head(bool areAlike)
    {
        (string first, string second) = areAlike ? ("first", "second, alike") : ("no file", "file of tokens");
        return
        [
            $"| transport | callers | {first}, req/s | {second}, req/s | × of medians | × of pairs, median | least | most | {first}, server µs/call "
                + $"| {second}, server µs/call | × by server's time |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        ];
    }

    /// <summary>The row of that table.</summary>
    public string Line() => string.Create(
        CultureInfo.InvariantCulture,
        $"| {Transport} | {Rung} | {Rate(Without):N0} | {Rate(With):N0} | {RateRatio:0.000} | {PairRatio:0.000} | {Pairs.Min():0.000} | {Pairs.Max():0.000} "
            + $"| {MicrosecondsPerCall(Without):0.00} | {MicrosecondsPerCall(With):0.00} | {CostRatio:0.000} |");

    private static double Rate(IReadOnlyList<Round> rounds) => Median.Of(rounds.Select(static round => round.RequestsPerSecond));

    private static double? MicrosecondsPerCall(IReadOnlyList<Round> rounds) =>
        Median.OfKnown(rounds.Select(static round => round.ServerCpu / round.RequestsPerSecond * 1e6));
}
