using System.Text;

namespace Larder.Report.Drawing;

/// <summary>A graph of horizontal bars in groups. Each bar has its value at its end.</summary>
internal sealed record BarGraph(string Id, string Title, string Description, string Unit, IReadOnlyList<BarGroup> Groups) : IGraph
{
    private const double BarHeight = 17;
    private const double GroupGap = 14;

    /// <inheritdoc/>
    public bool Wide => false;

    /// <inheritdoc/>
    public string Svg()
    {
        Bar[] bars = Groups.SelectMany(group => group.Bars).ToArray();
        double most = bars.Select(bar => bar.Value).Where(double.IsFinite).DefaultIfEmpty(0).Max();
        double height = 30 + (bars.Length * (BarHeight + 3)) + (Groups.Count * GroupGap);
        var frame = new Frame(
            530,
            height,
            Room(Groups.Select(group => group.Name), 150),
            530 - Room(bars.Select(bar => $"{bar.Text} {bar.Name}"), 230),
            22,
            height - 6);
        var text = new StringBuilder();
        frame.Open(text, Id, Title, Description);
        text.Append($"<text class=\"axis-title\" x=\"2\" y=\"10\">{Html.Escape(Unit)}</text>");
        double y = frame.Top;
        foreach (BarGroup group in Groups)
        {
            text.Append($"<text class=\"group\" text-anchor=\"end\" x=\"{Html.At(frame.Left - 10)}\" y=\"{Html.At(y + 13)}\">"
                    + $"{Html.Escape(TextSize.Fit(group.Name, frame.Left - 10))}</text>");
            foreach (Bar bar in group.Bars)
            {
                double length = most > 0 && double.IsFinite(bar.Value) ? Math.Max(1, bar.Value / most * (frame.Right - frame.Left)) : 1;
                text.Append(
                    $"<g class=\"series {bar.Look}\"><rect class=\"bar\" x=\"{Html.At(frame.Left)}\" y=\"{Html.At(y)}\" width=\"{Html.At(length)}\" "
                        + $"height=\"{Html.At(BarHeight)}\" rx=\"2\"/></g>");
                double from = frame.Left + length + 7;
                string said = TextSize.Fit($"{bar.Text} {bar.Name}", frame.Width - from);
                text.Append($"<text class=\"value\" x=\"{Html.At(from)}\" y=\"{Html.At(y + 13)}\">{Html.Escape(said)}</text>");
                y += BarHeight + 3;
            }

            y += GroupGap;
        }

        return text.Append("</svg>").ToString();
    }

    /// <inheritdoc/>
    public (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Table() =>
        (["group", "what", Unit], [.. Groups.SelectMany(group => group.Bars.Select(bar => (IReadOnlyList<string>)[group.Name, bar.Name, bar.Text]))]);

    private static double Room(IEnumerable<string> words, double most) =>
        Math.Min(most, words.Select(word => TextSize.Width(word) + 14).DefaultIfEmpty(0).Max());
}

/// <summary>A group of bars.</summary>
internal sealed record BarGroup(string Name, IReadOnlyList<Bar> Bars);

/// <summary>A bar: its name, the CSS class of its colour, its length, and its value as text.</summary>
internal sealed record Bar(string Name, string Look, double Value, string Text);
