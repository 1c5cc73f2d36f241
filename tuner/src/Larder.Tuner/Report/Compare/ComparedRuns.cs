using Larder.Tuner.Report.Drawing;
using Larder.Tuner.Report.Graphs;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report.Compare;

/// <summary>Two runs side by side: a row for each number of callers that either has, and one for the knees.</summary>
internal static class ComparedRuns
{
    /// <summary>The table, with B's figures over A's.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Search(TuneRun a, TuneRun b)
    {
        (Dictionary<int, SearchRung>? ofA, Dictionary<int, SearchRung>? ofB) = (ByCallers(a), ByCallers(b));
        return (
            ["callers", "calls/s A", "calls/s B", "B / A", "p50 A", "p50 B", "p99.9 A", "p99.9 B", "p99.9 B / A"],
            [
                .. ofA.Keys.Union(ofB.Keys).Order().Select(callers => Row(Show.Count(callers), ofA.GetValueOrDefault(callers), ofB.GetValueOrDefault(callers))),
                .. Knees(a, b),
            ]);
    }

    /// <summary>The proof, by share of the knee's throughput.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Proof(TuneRun a, TuneRun b) =>
    (
        ["of the knee", "answered/s A", "answered/s B", "B / A", "felt p99 A", "felt p99 B", "felt p99.9 A", "felt p99.9 B", "p99.9 B / A"],
        [
            .. from percent in a.Proof.Concat(b.Proof).Select(step => step.Percent).Distinct().Order()
               let ofA = a.Proof.FirstOrDefault(step => step.Percent == percent)?.Measured
               let ofB = b.Proof.FirstOrDefault(step => step.Percent == percent)?.Measured
               select (IReadOnlyList<string>)
               [
                   Show.Percent(percent / 100),
                   Show.Count(ofA?.RequestsPerSecond),
                   Show.Count(ofB?.RequestsPerSecond),
                   Show.Ratio(ofB?.RequestsPerSecond / ofA?.RequestsPerSecond),
                   Show.Us(ofA?.Latency.P99Us),
                   Show.Us(ofB?.Latency.P99Us),
                   Show.Us(ofA?.Latency.P999Us),
                   Show.Us(ofB?.Latency.P999Us),
                   Show.Ratio(ofB?.Latency.P999Us / ofA?.Latency.P999Us),
               ],
        ]
    );

    private static Dictionary<int, SearchRung> ByCallers(TuneRun run) => new GraphedRun(run).Rungs.ToDictionary(rung => rung.Callers);

    private static IEnumerable<IReadOnlyList<string>> Knees(TuneRun a, TuneRun b) => a.KneeRung() is { } kneeA && b.KneeRung() is { } kneeB
        ? [Row($"knee: {Show.Count(kneeA.Callers)} / {Show.Count(kneeB.Callers)}", kneeA, kneeB)]
        : [];

    private static IReadOnlyList<string> Row(string name, SearchRung? a, SearchRung? b) =>
    [
        name, Show.Count(a?.RequestsPerSecond), Show.Count(b?.RequestsPerSecond), Show.Ratio(b?.RequestsPerSecond / a?.RequestsPerSecond),
        Show.Us(a?.P50Us), Show.Us(b?.P50Us), Show.Us(a?.P999Us), Show.Us(b?.P999Us), Show.Ratio(b?.P999Us / a?.P999Us),
    ];
}
