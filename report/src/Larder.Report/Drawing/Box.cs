namespace Larder.Report.Drawing;

/// <summary>A rectangle in the units of a graph. The y axis points down.</summary>
internal readonly record struct Box(double Left, double Top, double Right, double Bottom)
{
    /// <summary>
    /// Returns the box of a text, given its baseline. <paramref name="anchor"/> is the SVG attribute: <c>start</c>, <c>middle</c> or <c>end</c>.
    /// </summary>
    public static Box OfText(double x, double y, string anchor, string text, bool bold = false)
    {
        double width = TextSize.Width(text, bold);
        double left = anchor switch { "end" => x - width, "middle" => x - (width / 2), _ => x };
        return new(left, y - TextSize.Above, left + width, y + TextSize.Below);
    }

    /// <summary>Returns whether the boxes overlap. Touching edges do not count.</summary>
    public bool Overlaps(Box other) => Left < other.Right && other.Left < Right && Top < other.Bottom && other.Top < Bottom;

    /// <summary>Returns whether a line segment crosses the box, by clipping it against each pair of sides.</summary>
    public bool IsCrossed((double X1, double Y1, double X2, double Y2) line)
    {
        (double from, double to) = (0.0, 1.0);
        foreach (
            (double start, double delta, double low, double high) in new[]
            {
                (line.X1, line.X2 - line.X1, Left, Right),
                (line.Y1, line.Y2 - line.Y1, Top, Bottom),
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
}
