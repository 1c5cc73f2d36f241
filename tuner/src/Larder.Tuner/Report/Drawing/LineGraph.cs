using System.Text;

namespace Larder.Tuner.Report.Drawing;

/// <summary>A graph of lines as SVG, with a title and a description for those who hear it. Everything is drawn in viewBox units; CSS gives colours.</summary>
internal sealed record LineGraph(string Id, string Title, string Description, Axis X, Axis Y, IReadOnlyList<Series> Series, IReadOnlyList<GraphMark> Marks)
    : IGraph
{
    /// <summary>Least distance between the names at the lines' ends, about a line of text.</summary>
    private const double NameHeight = 15;

    private const int RingRadius = 8;

    /// <summary>Whether it takes the page's whole width.</summary>
    public bool Wide { get; init; }

    /// <inheritdoc/>
    public string Svg()
    {
        var frame = Frame.For(Series.Select(series => series.Name), Wide);
        var text = new StringBuilder();
        frame.Open(text, Id, Title, Description);
        frame.DrawAxes(text, X, Y);
        foreach (GraphMark? mark in Marks.Where(mark => mark.X is null || mark.Y is null))
        {
            DrawRule(text, frame, mark);
        }

        foreach (Series series in Series)
        {
            DrawSeries(text, frame, series);
        }

        DrawNames(text, frame);
        DrawRings(text, frame);
        foreach (GraphMark? mark in Marks.Where(mark => mark.X is null || mark.Y is null))
        {
            DrawRuleLabel(text, frame, mark);
        }

        return text.Append("</svg>").ToString();
    }

    /// <inheritdoc/>
    public (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Table() =>
    (
        [X.Title, .. Series.Select(series => series.Name)],
        [
            .. Series
                .SelectMany(series => series.Points.Select(point => point.X))
                .Distinct()
                .Order()
                .Select(x => (IReadOnlyList<string>)[X.Cell(x), .. Series.Select(series => CellAt(series, x))]),
        ]
    );

    private string CellAt(Series series, double x) =>
        series.Points.Any(point => point.X == x) ? Y.Cell(series.Points.First(point => point.X == x).Y) : Show.Unknown;

    private void DrawSeries(StringBuilder text, Frame frame, Series series)
    {
        (GraphPoint Point, double X, double Y)[] places = series
            .Points.Where(point => double.IsFinite(point.Y))
            .Select(point => (Point: point, X: frame.X(X.Scale.At(point.X)), Y: frame.Y(Y.Scale.At(point.Y))))
            .ToArray();
        if (places.Length == 0)
        {
            return;
        }

        text.Append($"<g class=\"series {series.Look}\"><path class=\"line{(series.Dashed ? " dashed" : "")}\" d=\"M");
        text.AppendJoin('L', places.Select(place => $"{Html.At(place.X)} {Html.At(place.Y)}")).Append("\"/>");
        foreach ((GraphPoint point, double x, double y) in places.Where(_ => series.Shape != PointShape.None))
        {
            string note = point.Note.Length > 0 ? $", {point.Note}" : "";
            string title = Html.Escape($"{series.Name}: {Y.Cell(point.Y)} at {X.Cell(point.X)}{note}");
            text.Append($"<path class=\"point\" d=\"{Outline(series.Shape, x, y)}\"><title>{title}</title></path>");
        }

        text.Append("</g>");
    }

    /// <summary>Names stand at their lines' ends, pushed apart where they would overlap.</summary>
    private void DrawNames(StringBuilder text, Frame frame)
    {
        foreach ((string? name, string? look, double y) in NamePlaces(frame))
        {
            text.Append($"<text class=\"name {look}\" x=\"{Html.At(frame.Right + 10)}\" y=\"{Html.At(y)}\">{Html.Escape(name)}</text>");
        }
    }

    private IEnumerable<(string Name, string Look, double Y)> NamePlaces(Frame frame)
    {
        (string Name, string Look, double Y)[] names = Series
            .Where(series => series.Points.Any(point => double.IsFinite(point.Y)))
            .Select(series => (series.Name, series.Look, Y: frame.Y(Y.Scale.At(series.Points.Last(point => double.IsFinite(point.Y)).Y))))
            .OrderBy(name => name.Y)
            .ToArray();
        IReadOnlyList<double> places = Spread.Apart([.. names.Select(name => name.Y)], NameHeight, frame.Top, frame.Bottom);
        return names.Zip(places, (name, y) => (name.Name, name.Look, y + 4));
    }

    private void DrawRule(StringBuilder text, Frame frame, GraphMark mark)
    {
        if (mark.Y is { } y)
        {
            string at = Html.At(frame.Y(Y.Scale.At(y)));
            text.Append($"<path class=\"rule {mark.Look}\" d=\"M{Html.At(frame.Left)} {at}H{Html.At(frame.Right)}\"/>");
            return;
        }

        text.Append($"<path class=\"rule {mark.Look}\" d=\"M{Html.At(frame.X(X.Scale.At(mark.X!.Value)))} {Html.At(frame.Top)}V{Html.At(frame.Bottom)}\"/>");
    }

    /// <summary>Labels come after the lines: they are read, whatever runs under them.</summary>
    private void DrawRuleLabel(StringBuilder text, Frame frame, GraphMark mark)
    {
        if (mark.Y is { } y)
        {
            text.Append(
                $"<text class=\"mark {mark.Look}\" x=\"{Html.At(frame.Left + 6)}\" y=\"{Html.At(frame.Y(Y.Scale.At(y)) - 5)}\">{Html.Escape(mark.Label)}</text>"
            );
            return;
        }

        double x = frame.X(X.Scale.At(mark.X!.Value));
        // Left of the line where there is no room on its right.
        (string? anchor, int shift) = x > frame.Left + ((frame.Right - frame.Left) * 0.6) ? ("end", -6) : ("start", 6);
        double level = frame.Bottom - 8 - (Marks.Where(other => other.X is not null && other.Y is null).TakeWhile(other => other != mark).Count() * NameHeight);
        text.Append(
            $"<text class=\"mark {mark.Look}\" text-anchor=\"{anchor}\" x=\"{Html.At(x + shift)}\" y=\"{Html.At(level)}\">{Html.Escape(mark.Label)}</text>");
    }

    /// <summary>Rings, and their labels where they cover least.</summary>
    private void DrawRings(StringBuilder text, Frame frame)
    {
        (GraphMark Mark, double X, double Y)[] rings = Marks
            .Where(mark => mark.X is not null && mark.Y is not null)
            .Select(mark => (Mark: mark, X: frame.X(X.Scale.At(mark.X!.Value)), Y: frame.Y(Y.Scale.At(mark.Y!.Value))))
            .OrderBy(ring => ring.Y)
            .ToArray();
        LabelPlaces places = PlacesBeside(frame);
        foreach ((GraphMark? mark, double x, double y) in rings)
        {
            text.Append($"<circle class=\"ring {mark.Look}\" cx=\"{Html.At(x)}\" cy=\"{Html.At(y)}\" r=\"{RingRadius}\"/>");
            places.AddRing(x, y, RingRadius);
        }

        foreach ((GraphMark? mark, double x, double y) in rings)
        {
            (double left, double baseline, string? anchor) = places.Take(x, y, mark.Label);
            text.Append(
                $"<text class=\"mark {mark.Look}\" text-anchor=\"{anchor}\" x=\"{Html.At(left)}\" y=\"{Html.At(baseline)}\">{Html.Escape(mark.Label)}</text>");
        }
    }

    /// <summary>What rings' labels keep off: the lines, the lines across and their labels, the lines' names.</summary>
    private LabelPlaces PlacesBeside(Frame frame)
    {
        var places = new LabelPlaces(frame);
        foreach (Series series in Series)
        {
            (double X, double Y)[] points = series
                .Points.Where(point => double.IsFinite(point.Y))
                .Select(point => (X: frame.X(X.Scale.At(point.X)), Y: frame.Y(Y.Scale.At(point.Y))))
                .ToArray();
            foreach (((double X, double Y) from, (double X, double Y) to) in points.Zip(points.Skip(1)))
            {
                places.AddLine(from.X, from.Y, to.X, to.Y);
            }
        }

        foreach ((string? name, string _, double y) in NamePlaces(frame))
        {
            places.AddText(frame.Right + 10, y, "start", name);
        }

        foreach (GraphMark? mark in Marks.Where(mark => mark.X is null && mark.Y is not null))
        {
            double y = frame.Y(Y.Scale.At(mark.Y!.Value));
            places.AddLine(frame.Left, y, frame.Right, y);
            places.AddText(frame.Left + 6, y - 5, "start", mark.Label);
        }

        return places;
    }

    private static string Outline(PointShape shape, double x, double y) => shape switch
    {
        PointShape.Square => $"M{Html.At(x - 3)} {Html.At(y - 3)}h6v6h-6z",
        PointShape.Triangle => $"M{Html.At(x)} {Html.At(y - 4)}l4 7h-8z",
        PointShape.Diamond => $"M{Html.At(x)} {Html.At(y - 4.2)}l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
        _ => $"M{Html.At(x - 3.2)} {Html.At(y)}a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z",
    };
}
