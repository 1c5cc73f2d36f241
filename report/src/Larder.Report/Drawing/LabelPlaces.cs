namespace Larder.Report.Drawing;

/// <summary>
/// Chooses positions for labels in a graph. A label never overlaps another text, a ring or the edge of the picture. Among the free positions, the position that
/// crosses the fewest lines is chosen. If several positions cross equally few lines, the nearest position is chosen. If no position is free, the label is
/// placed below the graph.
/// </summary>
internal sealed class LabelPlaces(Frame frame)
{
    /// <summary>The height of a line of text with spacing.</summary>
    private const double Line = 16;

    /// <summary>
    /// The positions next to a ring, best first. Each position consists of the offset from the centre of the ring to the baseline of the text, and the anchor
    /// of the text. The positions are repeated at increasing distances, one line of text apart, up to the height of a graph.
    /// </summary>
    private static readonly (double X, double Y, string Anchor)[] s_besideRing =
    [
        .. from step in Enumerable.Range(0, 18)
           let away = step * Line
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
    private readonly List<Box> _taken = [];

    /// <summary>Adds a line that labels avoid if possible.</summary>
    public void AddLine(double x1, double y1, double x2, double y2) => _lines.Add((x1, y1, x2, y2));

    /// <summary>Adds a ring that labels must not overlap.</summary>
    public void AddRing(double x, double y, double radius) => _taken.Add(new(x - radius, y - radius, x + radius, y + radius));

    /// <summary>Adds an existing text that labels must not overlap.</summary>
    public void AddText(double x, double y, string anchor, string text) => _taken.Add(Box.OfText(x, y, anchor, text));

    /// <summary>Reserves the best position for the label of a ring at this point. Returns null if no position is free.</summary>
    public LabelPlace? PlaceNear(double x, double y, string text) =>
        Take(text, s_besideRing.Select(place => new LabelPlace(x + place.X, y + place.Y, place.Anchor)));

    /// <summary>Reserves a position along a horizontal line, above or below the line, starting from the left. Returns null if no position is free.</summary>
    public LabelPlace? PlaceAlong(double y, string text) => Take(
        text,
        from shift in new[] { -5.0, 15.0 }
        from x in Enumerable.Range(0, 1 + (int)((frame.Right - frame.Left) / Line)).Select(step => frame.Left + 6 + (step * Line))
        select new LabelPlace(x, y + shift, "start"));

    /// <summary>Reserves a position next to a vertical line, to its right or left, starting from the bottom. Returns null if no position is free.</summary>
    public LabelPlace? PlaceAbove(double x, string text) => Take(
        text,
        from level in Enumerable.Range(0, 1 + (int)((frame.Bottom - frame.Top) / Line)).Select(step => frame.Bottom - 8 - (step * Line))
        from side in new[] { ("start", 6.0), ("end", -6.0) }
        select new LabelPlace(x + side.Item2, level, side.Item1));

    private LabelPlace? Take(string text, IEnumerable<LabelPlace> places)
    {
        (LabelPlace Place, Box Box)[] free =
        [
            .. places
                .Select(place => (Place: place, Box: Box.OfText(place.X, place.Y, place.Anchor, text, bold: true)))
                .Where(one => one.Box.Left >= frame.Left && one.Box.Right <= frame.Width && one.Box.Top >= 0 && one.Box.Bottom <= frame.Bottom)
                .Where(one => !_taken.Exists(one.Box.Overlaps)),
        ];
        if (free.Length == 0)
        {
            return null;
        }

        (LabelPlace best, Box box) = free.MinBy(one => _lines.Count(one.Box.IsCrossed));
        _taken.Add(box);
        return best;
    }
}

/// <summary>The position of a text: the point on its baseline, and the part of the text that is at this point.</summary>
internal readonly record struct LabelPlace(double X, double Y, string Anchor);
