using System.Text;

namespace Larder.Report.Drawing;

/// <summary>A line graph as SVG, with a title and a description for screen readers. Coordinates are in viewBox units. Colours are defined in CSS.</summary>
internal sealed record LineGraph(string Id, string Title, string Description, Axis X, Axis Y, IReadOnlyList<Series> Series, IReadOnlyList<GraphMark> Marks)
    : IGraph
{
    private const int RingRadius = 8;

    /// <summary>Gets whether the graph takes the full width of the page.</summary>
    public bool Wide { get; init; }

    /// <inheritdoc/>
    public string Svg()
    {
        var frame = Frame.For([.. Series.Select(series => series.Name)], Wide);
        var labels = new GraphLabels(this, frame, RingRadius);
        frame = frame.With(labels.Below.Count);
        var text = new StringBuilder();
        frame.Open(text, Id, Title, Description);
        frame.DrawAxes(text, X, Y);
        foreach (GraphMark? mark in Marks.Where(mark => mark.X is null || mark.Y is null))
        {
            DrawRule(text, frame, mark);
        }

        foreach (Series series in Series)
        {
            DrawBand(text, frame, series);
        }

        foreach (Series series in Series)
        {
            DrawSeries(text, frame, series);
        }

        foreach (GraphMark mark in Marks.Where(mark => mark.X is not null && mark.Y is not null))
        {
            (double x, double y) = At(frame, mark.X!.Value, mark.Y!.Value);
            text.Append($"<circle class=\"ring {mark.Look}\" cx=\"{Html.At(x)}\" cy=\"{Html.At(y)}\" r=\"{RingRadius}\"/>");
        }

        labels.Draw(text, frame);
        return text.Append("</svg>").ToString();
    }

    /// <summary>Returns the coordinates of a value in the picture.</summary>
    public (double X, double Y) At(Frame frame, double x, double y) => (frame.X(X.Scale.At(x)), frame.Y(Y.Scale.At(y)));

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

    /// <summary>Draws the area between the bounds of a line.</summary>
    private void DrawBand(StringBuilder text, Frame frame, Series series)
    {
        if (series.Band.Count > 1)
        {
            IEnumerable<(double X, double Y)> edge = series.Band.Select(bound => At(frame, bound.X, bound.High))
                .Concat(series.Band.Reverse().Select(bound => At(frame, bound.X, bound.Low)));
            text.Append($"<path class=\"band {series.Look}\" d=\"M").AppendJoin('L', edge.Select(at => $"{Html.At(at.X)} {Html.At(at.Y)}")).Append("Z\"/>");
        }
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

    private static string Outline(PointShape shape, double x, double y) => shape switch
    {
        PointShape.Square => $"M{Html.At(x - 3)} {Html.At(y - 3)}h6v6h-6z",
        PointShape.Triangle => $"M{Html.At(x)} {Html.At(y - 4)}l4 7h-8z",
        PointShape.Diamond => $"M{Html.At(x)} {Html.At(y - 4.2)}l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
        _ => $"M{Html.At(x - 3.2)} {Html.At(y)}a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z",
    };
}
