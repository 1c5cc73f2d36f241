using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>
/// A run as it is drawn in graphs. A graph that shows two runs draws the second run with dashed lines. A graph that compares several runs draws one line in a
/// separate colour for each run.
/// </summary>
/// <param name="Run">The run.</param>
/// <param name="Name">The name of the run, which is added to the names of its lines. Empty if the graph shows only this run.</param>
/// <param name="IsSecond">Whether the run is the second of two runs.</param>
/// <param name="Index">The index of the run in a graph that compares several runs. Null if the graph shows only this run, or two runs.</param>
internal sealed record GraphedRun(TuneRun Run, string Name = "", bool IsSecond = false, int? Index = null)
{
    /// <summary>Gets the colours of several runs. The number of colours is the maximum number of runs in one graph.</summary>
    public static IReadOnlyList<string> Looks { get; } = ["main", "p999", "p50", "other2", "other3", "other4"];

    /// <summary>Returns the CSS class of a line. If the graph shows several runs, it is the class of the run, otherwise <paramref name="usual"/>.</summary>
    public string Look(string usual) => Index is { } index ? Looks[index % Looks.Count] : usual;

    /// <summary>Gets the rungs with the same number of channels as the knee, or as the first rung if there is no knee.</summary>
    public IReadOnlyList<SearchRung> Rungs { get; } = [.. Run.Search.Where(rung => rung.Channels == ChannelsOf(Run)).OrderBy(rung => rung.Callers)];

    /// <summary>Returns the name of a line, followed by the name of the run if the run has a name.</summary>
    public string Label(string line) => Name.Length == 0 ? line : $"{line} · {Name}";

    /// <summary>Returns a rung's latency at the target's quantile.</summary>
    public double TargetLatencyUs(SearchRung rung) => rung.Middle(one => one.Latency.AtUs(Run.Target.Quantile));

    /// <summary>Returns the point at which the latency crosses the target.</summary>
    public (double Callers, double RequestsPerSecond)? Crossing() =>
        TargetCrossing.Of([.. Rungs.Select(rung => ((double)rung.Callers, rung.RequestsPerSecond, TargetLatencyUs(rung)))], Run.Target.LimitUs);

    private static int ChannelsOf(TuneRun run) => run.KneeRung()?.Channels ?? (run.Search.Count > 0 ? run.Search[0].Channels : 0);

    /// <summary>Returns a line with the number of callers on the x axis.</summary>
    public Series OverCallers(string name, string look, PointShape shape, IEnumerable<SearchRung> rungs, Func<SearchRung, double?> figure) =>
        new(
            Label(name),
            look,
            [
                .. from rung in rungs
                let value = figure(rung)
                where value is not null
                select new GraphPoint(rung.Callers, value.Value, rung.Noisy ? "disturbed by other programs" : ""),
            ])
        {
            Shape = shape,
            Dashed = IsSecond,
        };
}
