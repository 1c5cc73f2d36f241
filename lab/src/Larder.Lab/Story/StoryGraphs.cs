using Larder.Report.Drawing;

namespace Larder.Lab.Story;

/// <summary>
/// The graphs of an experiment: requests per second and p99.9. Some experiments also have a graph of the number of connections, or of the failed calls by
/// deadline.
/// </summary>
internal static class StoryGraphs
{
    private static readonly (string Look, PointShape Shape)[] s_looks =
        [("main", PointShape.Circle), ("p999", PointShape.Triangle), ("other2", PointShape.Square), ("other4", PointShape.Diamond)];

    /// <summary>Returns the graphs; empty if nothing was measured.</summary>
    public static IReadOnlyList<IGraph> Of(StoryStep step)
    {
        StoryRow[] rows = [.. step.Rows.Where(row => row.Passes.Count > 0)];
        if (rows.Length == 0)
        {
            return [];
        }

        Figure rate = new(
            "rate",
            "Requests per second",
            row => row.RequestsPerSecond,
            row => row.Published?.RequestsPerSecond,
            value => Show.Count(value),
            false);
        Figure tail = new("tail", "p99.9", row => row.Middle(one => one.Latency.P999Us), row => row.Published?.P999Us, value => Show.Us(value), true);
        Figure second = step.Id switch
        {
            "connections" => new(
                "connections",
                "Connections",
                row => row.Connections ?? double.NaN,
                row => row.Published?.Connections,
                value => Show.Count(value),
                true),
            "deadline" => new("failed", "Failed calls", row => row.FailedShare, _ => null, value => Show.Percent(value), false),
            _ => tail,
        };
        Figure[] figures = step.Id == "deadline"
            ? [second, new("slowest", "Slowest call", row => row.SlowestUs, _ => null, value => Show.Us(value), true)]
            : [rate, second];
        return [.. figures.Select(figure => step.Across is null ? (IGraph)Bars(step, rows, figure) : Lines(step, rows, figure))];
    }

    private static BarGraph Bars(StoryStep step, IReadOnlyList<StoryRow> rows, Figure figure) => new(
        $"{step.Id}-{figure.Id}",
        $"{step.Title}: {Lower(figure.Title)}",
        $"{figure.Title} of each scenario, median of all passes.",
        Lower(figure.Title),
        [.. rows.Select(row => new BarGroup(row.Name, [new Bar("", "main", figure.Of(row), figure.Cell(figure.Of(row)))]))]);

    private static LineGraph Lines(StoryStep step, IReadOnlyList<StoryRow> rows, Figure figure)
    {
        Series[] series =
        [
            .. rows.GroupBy(row => row.Series).Select((group, index) => new Series(
                group.Key.Length > 0 ? group.Key : "measured",
                s_looks[index % s_looks.Length].Look,
                [.. group.OrderBy(row => row.X).Select(row => new GraphPoint(row.X, figure.Of(row), row.Name))])
            {
                Shape = s_looks[index % s_looks.Length].Shape,
            }),
            .. Published(rows, figure),
        ];
        double[] values = [.. series.SelectMany(line => line.Points).Select(point => point.Y).Where(double.IsFinite)];
        return new LineGraph(
            $"{step.Id}-{figure.Id}",
            $"{step.Title}: {Lower(figure.Title)}",
            $"{figure.Title} by number of {step.Across}, median of all passes.",
            new Axis(step.Across!, new LogScale(rows.Select(row => row.X), Show.Short, tight: true), value => Show.Count(value)),
            new Axis(
                Lower(figure.Title),
                figure.Logarithmic
                    ? new LogScale(values, figure.Id == "connections" ? Show.Short : Show.ShortUs)
                    : new LinearScale(0, values.DefaultIfEmpty(1).Max(), Show.Short),
                figure.Cell),
            series,
            []);
    }

    private static IEnumerable<Series> Published(IReadOnlyList<StoryRow> rows, Figure figure)
    {
        GraphPoint[] points =
        [
            .. rows.Where(row => figure.Published(row) is not null).OrderBy(row => row.X).Select(row => new GraphPoint(row.X, figure.Published(row)!.Value)),
        ];
        return points.Length == 0 ? [] : [new Series("published", "intended", points) { Dashed = true, Shape = PointShape.Diamond }];
    }

    private static string Lower(string title) => char.ToLowerInvariant(title[0]) + title[1..];

    private sealed record Figure(
        string Id,
        string Title,
        Func<StoryRow, double> Of,
        Func<StoryRow, double?> Published,
        Func<double, string> Cell,
        bool Logarithmic);
}
