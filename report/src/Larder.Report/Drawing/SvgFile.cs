using System.Text.RegularExpressions;

namespace Larder.Report.Drawing;

/// <summary>Writes a graph as a separate SVG file with its size and style. The colours follow the light or dark mode of the reader's system.</summary>
internal static partial class SvgFile
{
    // The background and the font. A graph in a page inherits them from the page.
    private const string Ground =
        "svg.graph { margin: 0; background: var(--card); font-family: system-ui, \"Segoe UI\", Roboto, \"Liberation Sans\", Arial, sans-serif; }\n";

    private static readonly string s_style = EmbeddedText.Of("graph.css") + Ground;

    /// <summary>Returns the contents of the file.</summary>
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
