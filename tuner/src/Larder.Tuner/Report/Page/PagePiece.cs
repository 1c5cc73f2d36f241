using Larder.Tuner.Report.Drawing;

namespace Larder.Tuner.Report.Page;

/// <summary>Pieces of the page: figures with their tables, tables alone, code.</summary>
internal static class PagePiece
{
    private static readonly string[] s_words = ["what limits", "scenario", "cap", "where", "what", "why", "step", "client"];

    /// <summary>A graph with its title, its text, and its figures under it.</summary>
    public static string Figure(IGraph graph, string caption) =>
        $"<figure id=\"{graph.Id}\"{(graph.Wide ? " class=\"wide\"" : "")}><figcaption>{Html.Escape(graph.Title)}"
        + $"<span>{Html.Escape(caption)}</span></figcaption>{graph.Svg()}"
        + $"<details><summary>Figures</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{Html.Escape(graph.Title)}, "
        + $"figures\">{Table(graph.Table(), graph.Title)}</div></details></figure>\n";

    /// <summary>A table in a panel of its own.</summary>
    public static string Panel((IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) table, string caption) => table.Rows.Count == 0 ? "" :
        $"<div class=\"panel scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{Html.Escape(caption)}\">{Table(table, caption)}</div>\n";

    /// <summary>Code to copy.</summary>
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
