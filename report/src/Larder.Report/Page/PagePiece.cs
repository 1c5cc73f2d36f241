using System.Text;
using Larder.Report.Drawing;

namespace Larder.Report.Page;

/// <summary>Creates parts of the page: graphs with their tables, separate tables, code.</summary>
internal static class PagePiece
{
    private static readonly string[] s_words = ["bottleneck", "scenario", "where", "what", "why", "step", "client", "published"];

    /// <summary>Returns graphs with their captions. Narrow graphs are placed in pairs. A narrow graph without a partner takes the whole row.</summary>
    public static string Figures(IReadOnlyList<(IGraph Graph, string Caption)> graphs)
    {
        var text = new StringBuilder();
        for (int index = 0; index < graphs.Count; index++)
        {
            (IGraph graph, string caption) = graphs[index];
            if (!graph.Wide && index + 1 < graphs.Count && !graphs[index + 1].Graph.Wide)
            {
                text.Append(Figure(graph, caption, "")).Append(Figure(graphs[index + 1].Graph, graphs[index + 1].Caption, ""));
                index++;
            }
            else
            {
                text.Append(Figure(graph, caption, graph.Wide ? " class=\"wide\"" : " class=\"alone\""));
            }
        }

        return text.Length == 0 ? "" : $"<div class=\"figures\">{text}</div>\n";
    }

    private static string Figure(IGraph graph, string caption, string kind) =>
        $"<figure id=\"{graph.Id}\"{kind}><figcaption>{Html.Escape(graph.Title)}"
        + $"<span>{Html.Escape(caption)}</span></figcaption><div class=\"drawn\" tabindex=\"0\" role=\"region\" "
        + $"aria-label=\"{Html.Escape(graph.Title)}\">{graph.Svg()}</div>"
        + $"<details><summary>Figures</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{Html.Escape(graph.Title)}, "
        + $"figures\">{Table(graph.Table(), graph.Title)}</div></details></figure>\n";

    /// <summary>Returns a banner with the most important remark. Returns an empty text if there is no remark.</summary>
    public static string Banner(string? sentence) => sentence is null ? "" : $"<p class=\"banner\" role=\"note\">{Html.Escape(sentence)}</p>\n";

    /// <summary>Returns a table in a separate panel.</summary>
    public static string Panel((IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) table, string caption) => table.Rows.Count == 0 ? "" :
        $"<div class=\"panel scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{Html.Escape(caption)}\">{Table(table, caption)}</div>\n";

    /// <summary>Returns a code block with a button to copy it.</summary>
    public static string Code(string id, string language, string code) =>
        $"<div class=\"code\"><button type=\"button\" data-copies=\"{id}\" hidden>copy</button><pre aria-label=\"{Html.Escape(language)}\" "
            + $"tabindex=\"0\"><code id=\"{id}\">{Html.Escape(code.TrimEnd())}</code></pre></div>\n";

    private static string Table((IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) table, string caption) =>
        $"<table><caption>{Html.Escape(caption)}</caption><thead><tr>"
        + string.Concat(table.Headers.Select(header => $"<th scope=\"col\"{Class(header)}>{Html.Escape(header)}</th>"))
        + "</tr></thead><tbody>"
        + string.Concat(
            table.Rows.Select(row =>
                $"<tr{(row.Any(cell => cell.EndsWith("← knee", StringComparison.Ordinal)) ? " class=\"knee\"" : "")}>"
                + $"{string.Concat(row.Select((cell, index) => Cell(table.Headers[index], cell, index == 0)))}</tr>"))
        + "</tbody></table>";

    private static string Cell(string header, string cell, bool first) =>
        first ? $"<th scope=\"row\">{Html.Escape(cell)}</th>" : $"<td{Class(header)}>{Html.Escape(cell)}</td>";

    private static string Class(string header) => s_words.Contains(header) ? " class=\"words\"" : "";
}
