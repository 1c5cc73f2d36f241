using System.Globalization;
using System.Text;
using Larder.Report.Runs;

namespace Larder.Report.Drawing;

/// <summary>
/// A heat map of latency over the time of the run. Each column shows the calls of one time slice, and each row shows one range of latencies. A cell is darker
/// if it contains a larger share of the calls of its column. The darkness is logarithmic, so that one call in ten thousand is visible. Each darkness level is
/// one SVG path, so that the file stays small for long runs.
/// </summary>
internal sealed record HeatMap(string Id, string Title, string Description, IReadOnlyList<TimeSlice> Slices, GraphMark? Target) : IGraph
{
    /// <summary>
    /// The number of darkness levels. Level n begins at a share of 10^(−(Levels − n) / 2). Shares below 1 in 3,162 are level 0, and shares of 1 in 3 and above
    /// are level 7.
    /// </summary>
    public const int Levels = 8;

    /// <summary>The font size of step names, as in <c>graph.css</c>.</summary>
    private const double StepSize = 10;

    /// <inheritdoc/>
    public bool Wide => true;

    /// <inheritdoc/>
    public string Svg()
    {
        var frame = Frame.For(["target"], Wide);
        var text = new StringBuilder();
        frame.Open(text, Id, Title, Description);
        int[] buckets = Slices.SelectMany(slice => slice.Cells).Select(cell => cell.Bucket).DefaultIfEmpty(0).ToArray();
        (int lowest, int highest) = (buckets.Min(), buckets.Max() + 1);
        var y = new Axis(
            "latency",
            new LogScale([TimeSlice.LowestUs(lowest), TimeSlice.LowestUs(highest), .. Target?.Y is { } limit ? new[] { limit } : []], Show.ShortUs),
            value => Show.Us(value));
        var x = new Axis(
            "seconds since the start of the run",
            new LinearScale(0, Slices.Select(slice => slice.AtSeconds + slice.Seconds).DefaultIfEmpty(1).Max(), Show.Short),
            Show.Short);
        frame.DrawAxes(text, x, y);
        DrawCells(text, frame, x.Scale, y.Scale);
        DrawSteps(text, frame, x.Scale);
        if (Target?.Y is { } target)
        {
            double at = frame.Y(y.Scale.At(target));
            text.Append($"<path class=\"rule target\" d=\"M{Html.At(frame.Left)} {Html.At(at)}H{Html.At(frame.Right)}\"/>");
            text.Append($"<text class=\"mark target\" x=\"{Html.At(frame.Right + 8)}\" y=\"{Html.At(at + 4)}\">target</text>");
        }

        return text.Append("</svg>").ToString();
    }

    /// <summary>Returns a table with a row for each step. A row for each slice would take nine tenths of the page.</summary>
    public (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Table() =>
    (
        ["from s", "step", "calls", "p50 about", "p99 about", "slowest about"],
        [
            .. StepsOf(Slices).Select(step =>
                (IReadOnlyList<string>)
                    [
                        step.AtSeconds.ToString("F1", CultureInfo.InvariantCulture),
                        step.Step,
                        Show.Count(step.Cells.Sum(cell => cell.Count)),
                        About(step, 0.5),
                        About(step, 0.99),
                        About(step, 1),
                    ]),
        ]
    );

    /// <summary>Returns the darkness level of a cell. <paramref name="share"/> is the cell's share of the calls of its column.</summary>
    public static int LevelOf(double share) => Math.Clamp((int)Math.Floor(Levels + (2 * Math.Log10(Math.Max(share, 1e-9)))), 0, Levels - 1);

    private void DrawCells(StringBuilder text, Frame frame, IScale x, IScale y)
    {
        StringBuilder[] paths = Enumerable.Range(0, Levels).Select(_ => new StringBuilder()).ToArray();
        foreach (TimeSlice slice in Slices)
        {
            double total = (double)slice.Cells.Sum(cell => cell.Count);
            // Coordinates are rounded to whole units. Decimals are not visible, but would take a third of the page.
            double left = Math.Round(frame.X(x.At(slice.AtSeconds)));
            double width = Math.Max(1, Math.Round(frame.X(x.At(slice.AtSeconds + slice.Seconds))) - left);
            foreach ((int level, int from, int to) in Stretches(slice, total))
            {
                (double bottom, double top) = (Math.Round(frame.Y(y.At(TimeSlice.LowestUs(from)))), Math.Round(frame.Y(y.At(TimeSlice.LowestUs(to)))));
                paths[level].Append(CultureInfo.InvariantCulture, $"M{left} {top}h{width}v{Math.Max(1, bottom - top)}h{-width}z");
            }
        }

        foreach ((StringBuilder? path, int level) in paths.Select((path, level) => (path, level)).Where(pair => pair.path.Length > 0))
        {
            text.Append($"<path class=\"heat heat{level}\" d=\"{path}\"/>");
        }
    }

    /// <summary>Merges neighbouring cells of the same level into ranges of buckets. The end of a range is exclusive.</summary>
    private static IEnumerable<(int Level, int From, int To)> Stretches(TimeSlice slice, double total)
    {
        (int Level, int From, int To)? open = null;
        foreach (HeatCell cell in slice.Cells.Where(cell => cell.Count > 0))
        {
            int level = LevelOf(cell.Count / total);
            if (open is { } now && now.Level == level && now.To == cell.Bucket)
            {
                open = now with { To = cell.Bucket + 1 };
                continue;
            }

            if (open is { } done)
            {
                yield return done;
            }

            open = (level, cell.Bucket, cell.Bucket + 1);
        }

        if (open is { } last)
        {
            yield return last;
        }
    }

    /// <summary>Merges the slices of each step into one slice, in chronological order.</summary>
    private static IEnumerable<TimeSlice> StepsOf(IEnumerable<TimeSlice> slices)
    {
        TimeSlice? step = null;
        foreach (TimeSlice slice in slices)
        {
            if (step is not null && step.Step == slice.Step && step.Phase == slice.Phase)
            {
                step = step with { Cells = TimeSlice.Together(step.Cells, slice.Cells) };
                continue;
            }

            if (step is not null)
            {
                yield return step;
            }

            step = slice;
        }

        if (step is not null)
        {
            yield return step;
        }
    }

    /// <summary>Draws a thin line at the beginning of each step. The name of the step is above the line if there is space.</summary>
    private void DrawSteps(StringBuilder text, Frame frame, IScale x)
    {
        double free = double.MinValue;
        foreach (TimeSlice? first in Slices.Where((slice, index) => index == 0 || Slices[index - 1].Step != slice.Step))
        {
            double at = frame.X(x.At(first.AtSeconds));
            text.Append($"<path class=\"step\" d=\"M{Html.At(at)} {Html.At(frame.Top)}V{Html.At(frame.Bottom)}\"/>");
            string name = first.Step.Replace(" callers", "", StringComparison.Ordinal);
            double end = at + 2 + TextSize.Width(name, size: StepSize);
            if (at >= free && end <= frame.Width)
            {
                text.Append($"<text class=\"step\" x=\"{Html.At(at + 2)}\" y=\"{Html.At(frame.Top - 5)}\">{Html.Escape(name)}</text>");
                free = end + 4;
            }
        }
    }

    private static string About(TimeSlice slice, double quantile)
    {
        double rank = Math.Ceiling(quantile * slice.Cells.Sum(cell => cell.Count));
        foreach (HeatCell cell in slice.Cells)
        {
            rank -= cell.Count;
            if (rank <= 0)
            {
                return Show.Us(TimeSlice.LowestUs(cell.Bucket + 1));
            }
        }

        return Show.Unknown;
    }
}
