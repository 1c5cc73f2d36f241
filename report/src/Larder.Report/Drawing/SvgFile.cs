using System.Text.RegularExpressions;

namespace Larder.Report.Drawing;

/// <summary>A graph as an SVG file of its own, with its size and its style in it: light and dark as its reader's system is.</summary>
internal static partial class SvgFile
{
    // Ground and font, which a page gives a graph that stands in it.
    private const string Ground =
        "svg.graph { margin: 0; background: var(--card); font-family: system-ui, \"Segoe UI\", Roboto, \"Liberation Sans\", Arial, sans-serif; }\n";

    private static readonly string s_style = EmbeddedText.Of("graph.css") + Ground;

    /// <summary>The file's text.</summary>
    public static string Of(IGraph graph) =>
        Opening().Replace(
            graph.Svg(),
            opening => $"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{opening.Groups["width"]}\" height=\"{opening.Groups["height"]}\" "
                + $"{opening.Groups["rest"]}>\n<style>\n{s_style}</style>\n",
            1)
        + "\n";

    [GeneratedRegex("""^<svg (?<rest>[^>]*viewBox="0 0 (?<width>\S+) (?<height>[^" ]+)"[^>]*)>""")]
    private static partial Regex Opening();
}
