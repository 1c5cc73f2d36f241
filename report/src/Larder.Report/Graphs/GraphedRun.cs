using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>
/// A run as graphs draw it: alone; as the first or second of two, whose lines are dashed; or as one of several, which have a line each in a colour of its own.
/// </summary>
/// <param name="Run">The run.</param>
/// <param name="Name">What its lines are called when there are others; empty when it is alone.</param>
/// <param name="IsSecond">Whether it is the second of two.</param>
/// <param name="Index">Which of several it is, from 0; null where it is alone or one of two.</param>
internal sealed record GraphedRun(TuneRun Run, string Name = "", bool IsSecond = false, int? Index = null)
{
    /// <summary>Colours of several runs: so many can be laid over each other.</summary>
    public static IReadOnlyList<string> Looks { get; } = ["main", "p999", "p50", "other2", "other3", "other4"];

    /// <summary>The class of its line: its own where there are several, else the line's.</summary>
    public string Look(string usual) => Index is { } index ? Looks[index % Looks.Count] : usual;

    /// <summary>The rungs over the same channels as the knee, or over those of the first rung without one: what graphs over callers draw.</summary>
    public IReadOnlyList<SearchRung> Rungs { get; } = [.. Run.Search.Where(rung => rung.Channels == ChannelsOf(Run)).OrderBy(rung => rung.Callers)];

    /// <summary>A name for one of its lines.</summary>
    public string Label(string line) => Name.Length == 0 ? line : $"{line} · {Name}";

    /// <summary>The latency that the target is about, of a rung.</summary>
    public double TargetLatencyUs(SearchRung rung) => rung.Middle(one => one.Latency.AtUs(Run.Target.Quantile));

    /// <summary>Where the latency crosses the target.</summary>
    public (double Callers, double RequestsPerSecond)? Crossing() =>
        TargetCrossing.Of([.. Rungs.Select(rung => ((double)rung.Callers, rung.RequestsPerSecond, TargetLatencyUs(rung)))], Run.Target.LimitUs);

    private static int ChannelsOf(TuneRun run) => run.KneeRung()?.Channels ?? (run.Search.Count > 0 ? run.Search[0].Channels : 0);

    /// <summary>A line over callers.</summary>
    public Series OverCallers(string name, string look, PointShape shape, IEnumerable<SearchRung> rungs, Func<SearchRung, double?> figure) =>
        new(
            Label(name),
            look,
            [
                .. from rung in rungs
                let value = figure(rung)
                where value is not null
                select new GraphPoint(rung.Callers, value.Value, rung.Noisy ? "other programs disturbed it" : ""),
            ])
        {
            Shape = shape,
            Dashed = IsSecond,
        };
}
