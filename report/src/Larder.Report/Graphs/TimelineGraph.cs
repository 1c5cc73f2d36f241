using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>The heat map of latency over the time of the run.</summary>
internal static class TimelineGraph
{
    /// <summary>
    /// The maximum number of columns. If there are more slices, neighbouring slices of the same step are merged. On a wide screen, a column is then about four
    /// pixels wide.
    /// </summary>
    public const int MaxColumns = 240;

    public static HeatMap Of(TuneRun run) => new(
        "heat",
        "Latency over time",
        "Each column is a moment of the run, each cell a range of latencies. Darker cells contain a larger share of the calls of that moment. "
            + "Darkness grows with the logarithm of the share.",
        Merged(run.Timeline, MaxColumns),
        SearchGraphs.TargetMark(run.Target));

    /// <summary>
    /// Merges pairs of neighbouring slices of the same step. Repeats this until there are at most <paramref name="most"/> slices, or until no slices can be
    /// merged.
    /// </summary>
    public static IReadOnlyList<TimeSlice> Merged(IReadOnlyList<TimeSlice> slices, int most)
    {
        IReadOnlyList<TimeSlice> now = slices;
        while (now.Count > most)
        {
            var fewer = new List<TimeSlice>();
            for (int i = 0; i < now.Count; i++)
            {
                bool pairs = i + 1 < now.Count && now[i].Step == now[i + 1].Step && now[i].Phase == now[i + 1].Phase;
                fewer.Add(pairs ? Together(now[i], now[++i]) : now[i]);
            }

            if (fewer.Count == now.Count)
            {
                break;
            }

            now = fewer;
        }

        return now;
    }

    private static TimeSlice Together(TimeSlice first, TimeSlice second) => first with
    {
        Seconds = second.AtSeconds + second.Seconds - first.AtSeconds,
        Cells = TimeSlice.Together(first.Cells, second.Cells),
    };
}
