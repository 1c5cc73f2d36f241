using Larder.Report.Runs;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>Compares the turns with a near cache with the turns without one.</summary>
internal sealed class NearZipfTable(IReadOnlyList<string> processes, IReadOnlyList<NearZipfTurn> without, IReadOnlyList<NearZipfTurn> near)
{
    /// <summary>Gets the number of reads that returned an older value than the same client had read or written before.</summary>
    public long Violations => without.Concat(near).Sum(static turn => turn.Answers.Sum(static answer => answer.Violations));

    /// <summary>Returns the Markdown lines: first all processes together, then each process.</summary>
    public IReadOnlyList<string> Lines() =>
    [
        "| process | calls/s without near cache | calls/s with | ratio | lowest | highest | near-cache hits | p50 without | p50 with | p99.9 without "
            + "| p99.9 with |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        Line("all", null),
        .. processes.Select((process, i) => Line(process, i)),
        "",
        $"- {(Violations == 0 ? "pass" : "**FAIL**")}: {Violations} reads returned an older value than the same client had already read or written",
    ];

    private string Line(string name, int? process)
    {
        double[] ratios = [.. near.Zip(without, (one, other) => one.CallsPerSecond(process) / other.CallsPerSecond(process))];
        double Of(IReadOnlyList<NearZipfTurn> turns, Func<NearZipfTurn, double> figure) => Median.Of(turns.Select(figure));
        return Say($"| {name} | {Of(without, turn => turn.CallsPerSecond(process)):N0} | {Of(near, turn => turn.CallsPerSecond(process)):N0} ")
            + Say($"| {Median.Of(ratios):0.00} | {ratios.Min():0.00} | {ratios.Max():0.00} | {Of(near, turn => turn.HitShare(process)):P1} ")
            + Say($"| {Us(without, 0.5)} | {Us(near, 0.5)} | {Us(without, 0.999)} | {Us(near, 0.999)} |");

        string Us(IReadOnlyList<NearZipfTurn> turns, double part) => Say($"{Of(turns, turn => turn.ReadUs(part, process)):N1} µs");
    }
}
