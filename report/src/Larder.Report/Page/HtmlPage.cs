using System.Security.Cryptography;
using System.Text;
using Larder.Report.Drawing;

namespace Larder.Report.Page;

/// <summary>
/// The HTML page of a report, in one file that contains the style and the script. The content security policy of the page allows only this style and this
/// script, by their hashes. External requests and injected markup therefore have no effect.
/// </summary>
internal static class HtmlPage
{
    private static readonly string s_style = EmbeddedText.Of("graph.css") + EmbeddedText.Of("report.css");
    private static readonly string s_script = EmbeddedText.Of("report.js");

    /// <summary>Returns the complete page.</summary>
    /// <param name="title">The title as plain text.</param>
    /// <param name="body">The body as escaped markup.</param>
    public static string Of(string title, string body) => $"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src '{Hash(s_style)}'; script-src '{Hash(
            s_script)}'; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{Html.Escape(title)}</title>
        <link rel="icon" href="data:,">
        <style>{s_style}</style>
        </head>
        <body>
        <main>
        {body}
        </main>
        <script>{s_script}</script>
        </body>
        </html>

        """;

    private static string Hash(string text) => "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
}
