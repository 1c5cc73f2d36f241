using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Runs;

namespace Larder.Report.Compare;

/// <summary>Tables that compare two runs: one of the closed loops, and one of the proved rates.</summary>
internal static class ComparedRuns
{
    /// <summary>
    /// Returns the table of the closed loops with the ratios of B's values to A's. It has a row for each number of callers, and one for the knees.
    /// </summary>
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

    /// <summary>Returns the table of the proved rates. It has no rows if neither run has a proved rate.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Answers(TuneRun a, TuneRun b) =>
    (
        ["what", "A", "B", "B / A"],
        a.Proved is null && b.Proved is null
            ? []
            :
            [
                Answer("scheduled calls per second", run => run.RatePerSecond, rate => Show.Count(rate), a, b),
                Answer("limit", run => run.Cap, limit => Show.Count(limit), a, b),
                Answer(a.Target.Name(), run => run.TargetUs, us => Show.Us(us), a, b),
                Misses(a, b),
            ]
    );

    private static IReadOnlyList<string> Misses(TuneRun a, TuneRun b) => Answer(
        "lowest miss",
        run => RateAnswer.LowestMiss(run, ReferenceEquals(run, a.Proved) ? a.Rates : b.Rates),
        rate => Show.Count(rate),
        a,
        b);

    private static IReadOnlyList<string> Answer(string what, Func<ProvedRate, double?> figure, Func<double?, string> show, TuneRun a, TuneRun b)
    {
        double? ofA = a.Proved is null ? null : figure(a.Proved), ofB = b.Proved is null ? null : figure(b.Proved);
        return [what, ofA is null ? "no answer" : show(ofA), ofB is null ? "no answer" : show(ofB), Show.Ratio(ofB / ofA)];
    }

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
