namespace Larder.Tuner.Report.Drawing;

/// <summary>
/// Where labels of points may stand in a graph: beside their ring, off the lines, off each other, inside the picture. Pure; where nothing is free, the place in
/// which least is crossed.
/// </summary>
internal sealed class LabelPlaces(Frame frame)
{
    /// <summary>What a text of 12 units takes above and below its baseline.</summary>
    private const double Above = 11, Below = 4;

    /// <summary>A label outside the picture cannot be read, one over another hardly, one over a line well enough.</summary>
    private const int Outside = 10_000, OverLabel = 100;

    /// <summary>
    /// Beside a ring, best first: from its centre to where the text begins, is centred or ends, and to its baseline. Near, then a line of text farther, then
    /// two.
    /// </summary>
    private static readonly (double X, double Y, string Anchor)[] s_places =
    [
        .. from away in new[] { 0, 16, 32, 48 }
           from place in new (double, double, string)[]
           {
               (12.0, 20.0 + away, "start"),
               (-10.0, -12.0 - away, "end"),
               (12.0, -12.0 - away, "start"),
               (-10.0, 20.0 + away, "end"),
               (0.0, 26.0 + away, "middle"),
               (0.0, -18.0 - away, "middle"),
           }
           select place,
    ];

    private readonly List<(double X1, double Y1, double X2, double Y2)> _lines = [];
    private readonly List<(double Left, double Top, double Right, double Bottom)> _taken = [];

    /// <summary>A line that labels keep off.</summary>
    public void AddLine(double x1, double y1, double x2, double y2) => _lines.Add((x1, y1, x2, y2));

    /// <summary>A ring that labels keep off.</summary>
    public void AddRing(double x, double y, double radius) => _taken.Add((x - radius, y - radius, x + radius, y + radius));

    /// <summary>A text that stands already.</summary>
    public void AddText(double x, double y, string anchor, string text) => _taken.Add(Box(x, y, anchor, text));

    /// <summary>Takes the best place for a label of the ring at this point.</summary>
    public (double X, double Y, string Anchor) Take(double x, double y, string text)
    {
        (double dx, double dy, string? anchor) = s_places.MinBy(place => Cost(Box(x + place.X, y + place.Y, place.Anchor, text)));
        AddText(x + dx, y + dy, anchor, text);
        return (x + dx, y + dy, anchor);
    }

    /// <summary>Whether a straight line goes through a box: what is left of it between the box's sides, one pair after the other.</summary>
    public static bool Crosses((double X1, double Y1, double X2, double Y2) line, (double Left, double Top, double Right, double Bottom) box)
    {
        (double from, double to) = (0.0, 1.0);
        foreach (
            (double start, double delta, double low, double high) in new[]
            {
                (line.X1, line.X2 - line.X1, box.Left, box.Right),
                (line.Y1, line.Y2 - line.Y1, box.Top, box.Bottom),
            })
        {
            if (delta == 0)
            {
                if (start < low || start > high)
                {
                    return false;
                }

                continue;
            }

            (double a, double b) = ((low - start) / delta, (high - start) / delta);
            (from, to) = (Math.Max(from, Math.Min(a, b)), Math.Min(to, Math.Max(a, b)));
        }

        return from <= to;
    }

    private static (double Left, double Top, double Right, double Bottom) Box(double x, double y, string anchor, string text)
    {
        double width = text.Length * Frame.Letter;
        double left = anchor switch { "end" => x - width, "middle" => x - (width / 2), _ => x };
        return (left, y - Above, left + width, y + Below);
    }

    private int Cost((double Left, double Top, double Right, double Bottom) box) =>
        (box.Left < frame.Left || box.Right > frame.Width || box.Top < 0 || box.Bottom > frame.Bottom ? Outside : 0)
        + (OverLabel * _taken.Count(other => box.Left < other.Right && other.Left < box.Right && box.Top < other.Bottom && other.Top < box.Bottom))
        + _lines.Count(line => Crosses(line, box));
}
