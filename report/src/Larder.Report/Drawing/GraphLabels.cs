using System.Text;

namespace Larder.Report.Drawing;

/// <summary>
/// Places the texts of a line graph: names at the ends of the lines, and labels of marks where there is space. The remaining labels are placed below the graph.
/// </summary>
internal sealed class GraphLabels
{
    private readonly List<(string Text, string Look, double Y)> _names = [];
    private readonly List<(GraphMark Mark, LabelPlace Place)> _placed = [];
    private readonly List<GraphMark> _below = [];

    /// <summary>Places the texts.</summary>
    public GraphLabels(LineGraph graph, Frame frame, double ringRadius)
    {
        var places = new LabelPlaces(frame);
        AddLines(graph, frame, places);
        AddNames(graph, frame, places);
        places.AddText(2, 10, "start", graph.Y.Title);
        foreach (GraphMark mark in graph.Marks.Where(mark => mark.X is not null && mark.Y is not null))
        {
            (double x, double y) = graph.At(frame, mark.X!.Value, mark.Y!.Value);
            places.AddRing(x, y, ringRadius);
        }

        foreach (GraphMark mark in graph.Marks.Where(mark => mark.Label.Length > 0))
        {
            (double x, double y) = graph.At(frame, mark.X ?? 0, mark.Y ?? 0);
            LabelPlace? place = (mark.X, mark.Y) switch
            {
                (null, null) => null,
                (null, _) => places.PlaceAlong(y, mark.Label),
                (_, null) => places.PlaceAbove(x, mark.Label),
                _ => places.PlaceNear(x, y, mark.Label),
            };
            if (place is { } free)
            {
                _placed.Add((mark, free));
            }
            else
            {
                _below.Add(mark);
            }
        }
    }

    /// <summary>Gets the marks whose labels are below the graph.</summary>
    public IReadOnlyList<GraphMark> Below => _below;

    /// <summary>Draws the texts. Must be called after the lines are drawn, so that the texts stay readable on top of them.</summary>
    public void Draw(StringBuilder text, Frame frame)
    {
        foreach ((string name, string look, double y) in _names)
        {
            string whole = frame.Fit(name) == name ? "" : $"<title>{Html.Escape(name)}</title>";
            text.Append($"<text class=\"name {look}\" x=\"{Html.At(frame.Right + 10)}\" y=\"{Html.At(y)}\">{Html.Escape(frame.Fit(name))}{whole}</text>");
        }

        foreach ((GraphMark mark, LabelPlace place) in _placed)
        {
            text.Append(
                $"<text class=\"mark {mark.Look}\" text-anchor=\"{place.Anchor}\" x=\"{Html.At(place.X)}\" y=\"{Html.At(place.Y)}\">"
                    + $"{Html.Escape(mark.Label)}</text>");
        }

        foreach ((int line, GraphMark mark) in _below.Index())
        {
            string label = Html.Escape(TextSize.Fit(mark.Label, frame.Width - frame.Left, bold: true));
            text.Append($"<text class=\"mark {mark.Look}\" x=\"{Html.At(frame.Left)}\" y=\"{Html.At(frame.Below(line))}\">{label}</text>");
        }
    }

    private static void AddLines(LineGraph graph, Frame frame, LabelPlaces places)
    {
        foreach (Series series in graph.Series)
        {
            (double X, double Y)[] points = [.. series.Points.Where(point => double.IsFinite(point.Y)).Select(point => graph.At(frame, point.X, point.Y))];
            foreach (((double X, double Y) from, (double X, double Y) to) in points.Zip(points.Skip(1)))
            {
                places.AddLine(from.X, from.Y, to.X, to.Y);
            }
        }

        foreach (GraphMark mark in graph.Marks.Where(mark => mark.X is null || mark.Y is null))
        {
            (double left, double top) = graph.At(frame, mark.X ?? 0, mark.Y ?? 0);
            if (mark.X is null)
            {
                places.AddLine(frame.Left, top, frame.Right, top);
            }
            else
            {
                places.AddLine(left, frame.Top, left, frame.Bottom);
            }
        }
    }

    /// <summary>Places names at the ends of their lines. Moves names apart if they would overlap.</summary>
    private void AddNames(LineGraph graph, Frame frame, LabelPlaces places)
    {
        (Series Series, double Y)[] ends =
        [
            .. graph.Series.Where(series => series.Points.Any(point => double.IsFinite(point.Y)))
                .Select(series => (series, graph.At(frame, 0, series.Points.Last(point => double.IsFinite(point.Y)).Y).Y))
                .OrderBy(end => end.Y),
        ];
        IReadOnlyList<double> heights = LabelSpacing.Apart([.. ends.Select(end => end.Y)], Frame.TextHeight, frame.Top, frame.Bottom);
        foreach ((Series series, double y) in ends.Zip(heights, (end, height) => (end.Series, height + 4)))
        {
            _names.Add((series.Name, series.Look, y));
            places.AddText(frame.Right + 10, y, "start", frame.Fit(series.Name));
        }
    }
}
