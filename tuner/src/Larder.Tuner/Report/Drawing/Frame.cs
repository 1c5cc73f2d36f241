using System.Text;

namespace Larder.Tuner.Report.Drawing;

/// <summary>The space of a graph, in viewBox units: the area of its lines, its axes, and room for names on the right.</summary>
internal sealed record Frame(double Width, double Height, double Left, double Right, double Top, double Bottom)
{
    /// <summary>Width of a letter at 12.5 units, on average with some to spare.</summary>
    public const double Letter = 7;

    /// <summary>
    /// A frame with room for these names on the right of its area. Its units are about a pixel each on a wide screen, where two narrow ones stand side by side.
    /// </summary>
    public static Frame For(IEnumerable<string> names, bool wide)
    {
        (int width, int height) = wide ? (1040, 400) : (530, 330);
        double room = Math.Clamp(names.Select(name => name.Length).DefaultIfEmpty(0).Max() * Letter, 30, wide ? 220 : 190);
        return new Frame(width, height, 62, width - room - 12, 30, height - 46);
    }

    /// <summary>Across, from a place between 0 and 1.</summary>
    public double X(double share) => Left + (Math.Clamp(share, 0, 1) * (Right - Left));

    /// <summary>Down, from a place between 0 (at the bottom) and 1.</summary>
    public double Y(double share) => Bottom - (Math.Clamp(share, 0, 1) * (Bottom - Top));

    /// <summary>Begins the picture.</summary>
    public void Open(StringBuilder text, string id, string title, string description)
    {
        text.Append($"<svg class=\"graph\" viewBox=\"0 0 {Html.At(Width)} {Html.At(Height)}\" role=\"img\" aria-labelledby=\"{id}-title {id}-text\">");
        text.Append($"<title id=\"{id}-title\">{Html.Escape(title)}</title><desc id=\"{id}-text\">{Html.Escape(description)}</desc>");
    }

    /// <summary>Draws ticks, grid and the axes' titles.</summary>
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
        foreach (Tick tick in y.Scale.Ticks.Where(tick => tick.Label.Length > 0))
        {
            text.Append($"<text text-anchor=\"end\" x=\"{Html.At(Left - 8)}\" y=\"{Html.At(Y(y.Scale.At(tick.Value)) + 4)}\">{Html.Escape(tick.Label)}</text>");
        }

        foreach (Tick tick in x.Scale.Ticks.Where(tick => tick.Label.Length > 0))
        {
            text.Append(
                $"<text text-anchor=\"middle\" x=\"{Html.At(X(x.Scale.At(tick.Value)))}\" y=\"{Html.At(Bottom + 19)}\">{Html.Escape(tick.Label)}</text>");
        }

        text.Append(
            $"</g><text class=\"axis-title\" text-anchor=\"middle\" x=\"{Html.At((Left + Right) / 2)}\" "
                + $"y=\"{Html.At(Height - 8)}\">{Html.Escape(x.Title)}</text>");
        text.Append($"<text class=\"axis-title\" x=\"2\" y=\"10\">{Html.Escape(y.Title)}</text>");
    }
}
