using Larder.Report.Runs;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>The measurements of servers with different numbers of near streams. The first server has no near streams.</summary>
internal sealed class NearWritesRow(string situation, int inFlight, IReadOnlyList<int> streams)
{
    private const double Target = 0.8;

    private readonly List<NearWritesTurn>[] _turns = [.. streams.Select(static _ => new List<NearWritesTurn>())];

    /// <summary>Gets the header of the Markdown table.</summary>
    public static IReadOnlyList<string> Head { get; } =
    [
        "| near streams | sets in flight | sets/s with 0 | with 1 | ratio | with 100 | ratio | lowest | highest | server µs/set with 0 | with 100 | target |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ];

    /// <summary>Adds a measurement of the server with the index <paramref name="lane"/>.</summary>
    public void Add(int lane, NearWritesTurn turn) => _turns[lane].Add(turn);

    /// <summary>
    /// Returns the throughput of a server divided by the throughput of the server without near streams. The result is the median of the ratios of adjacent
    /// turns.
    /// </summary>
    public double Ratio(int lane) => Median.Of(Pairs(lane));

    public string Line() =>
        Say($"| {situation} | {inFlight:N0} | {Rate(0):N0} | {Rate(1):N0} | {Ratio(1):0.00} | {Rate(2):N0} | {Ratio(2):0.00} | {Pairs(2).Min():0.00} ")
            + Say($"| {Pairs(2).Max():0.00} | {Us(0)} | {Us(2)} | {(Ratio(2) >= Target ? "pass" : "**FAIL**")} |");

    private IEnumerable<double> Pairs(int lane) => _turns[lane].Zip(_turns[0], static (with, without) => with.SetsPerSecond / without.SetsPerSecond);

    private double Rate(int lane) => Median.Of(_turns[lane].Select(static turn => turn.SetsPerSecond));

    private string Us(int lane) => _turns[lane].Exists(static turn => turn.ServerUs is null)
        ? ""
        : Say($"{Median.Of(_turns[lane].Select(static turn => turn.ServerUs!.Value)):0.00}");
}
