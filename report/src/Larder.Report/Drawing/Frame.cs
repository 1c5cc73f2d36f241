using System.Text;

namespace Larder.Report.Drawing;

/// <summary>The layout of a graph, in viewBox units: the plot area, the axes, and space for names on the right.</summary>
internal sealed record Frame(double Width, double Height, double Left, double Right, double Top, double Bottom)
{
    /// <summary>The minimum distance between the baselines of two texts, one below the other.</summary>
    public const double TextHeight = 16;

    /// <summary>The height below the plot area. It has space for the ticks and the title of the axis.</summary>
    private const double UnderArea = 46;

    /// <summary>
    /// Creates a frame with space to the right of the plot area, in which these names are placed one below the other. A unit is about one pixel if the screen
    /// is wide enough for two narrow graphs side by side.
    /// </summary>
    public static Frame For(IReadOnlyCollection<string> names, bool wide)
    {
        (double width, double height) = wide ? (1040.0, 400.0) : (530.0, 330.0);
        double room = Math.Clamp(names.Select(name => TextSize.Width(name)).DefaultIfEmpty(0).Max(), 30, wide ? 260 : 190);
        height = Math.Max(height, 30 + (names.Count * TextHeight) + UnderArea);
        return new Frame(width, height, 62, width - room - 12, 30, height - UnderArea);
    }

    /// <summary>Shortens a name so that it fits into the space to the right of the plot area.</summary>
    public string Fit(string name) => TextSize.Fit(name, Width - Right - 10);

    /// <summary>Returns a frame with additional space for <paramref name="linesBelow"/> lines of text at the bottom.</summary>
    public Frame With(int linesBelow) => this with { Height = Height + (linesBelow * TextHeight) };

    /// <summary>Returns the baseline of a line of text at the bottom. Line numbers start at 0.</summary>
    public double Below(int line) => Bottom + UnderArea + ((line + 0.6) * TextHeight);

    /// <summary>Returns the horizontal coordinate of a position between 0 and 1.</summary>
    public double X(double share) => Left + (Math.Clamp(share, 0, 1) * (Right - Left));

    /// <summary>Returns the vertical coordinate of a position between 0 (at the bottom) and 1.</summary>
    public double Y(double share) => Bottom - (Math.Clamp(share, 0, 1) * (Bottom - Top));

    /// <summary>Writes the start of the SVG element.</summary>
    public void Open(StringBuilder text, string id, string title, string description)
    {
        text.Append($"<svg class=\"graph\" viewBox=\"0 0 {Html.At(Width)} {Html.At(Height)}\" role=\"img\" aria-labelledby=\"{id}-title {id}-text\">");
        text.Append($"<title id=\"{id}-title\">{Html.Escape(title)}</title><desc id=\"{id}-text\">{Html.Escape(description)}</desc>");
    }

    /// <summary>Draws ticks, grid and axis titles. Omits the label of a tick if it would touch the previous one.</summary>
    public void DrawAxes(StringBuilder text, Axis x, Axis y)
    {
        text.Append("<g class=\"grid\">");
        foreach (Tick tick in y.Scale.Ticks)
        {
            text.Append(
                $"<path class=\"{(tick.Label.Length > 0 ? "major" : "minor")}\" d=\"M{Html.At(Left)} {Html.At(Y(y.Scale.At(tick.Value)))}H{Html.At(Right)}\"/>"
            );
        }

        foreach (Tick tick in x.Scale.Ticks)
        {
            text.Append($"<path class=\"{(tick.Label.Length > 0 ? "major" : "minor")}\" d=\"M{Html.At(X(x.Scale.At(tick.Value)))} {Html.At(Bottom)}v5\"/>");
        }

        text.Append($"<path class=\"axis\" d=\"M{Html.At(Left)} {Html.At(Bottom)}H{Html.At(Right)}\"/></g><g class=\"ticks\">");
        DrawLabels(text, y.Scale.Ticks.Select(tick => (tick.Label, Left - 8, Y(y.Scale.At(tick.Value)) + 4)), "end");
        DrawLabels(text, x.Scale.Ticks.Select(tick => (tick.Label, X(x.Scale.At(tick.Value)), Bottom + 19)), "middle");
        text.Append(
            $"</g><text class=\"axis-title\" text-anchor=\"middle\" x=\"{Html.At((Left + Right) / 2)}\" "
                + $"y=\"{Html.At(Bottom + UnderArea - 8)}\">{Html.Escape(x.Title)}</text>");
        text.Append($"<text class=\"axis-title\" x=\"2\" y=\"10\">{Html.Escape(y.Title)}</text>");
    }

    private static void DrawLabels(StringBuilder text, IEnumerable<(string Label, double X, double Y)> labels, string anchor)
    {
        Box? before = null;
        foreach ((string label, double x, double y) in labels.Where(one => one.Label.Length > 0))
        {
            var box = Box.OfText(x, y, anchor, label);
            if (before?.Overlaps(box) == true)
            {
                continue;
            }

            text.Append($"<text text-anchor=\"{anchor}\" x=\"{Html.At(x)}\" y=\"{Html.At(y)}\">{Html.Escape(label)}</text>");
            before = box;
        }
    }
}
