using System.Globalization;
using System.Net;

namespace Larder.Report.Drawing;

/// <summary>Writes HTML and SVG text. All external text must pass through <see cref="Escape"/>.</summary>
internal static class Html
{
    /// <summary>Escapes text for content and quoted attribute values. Control characters, which are not allowed in a page, are replaced by �.</summary>
    public static string Escape(string? text) =>
        WebUtility.HtmlEncode(string.Concat((text ?? "").Select(letter => char.IsControl(letter) && letter is not ('\n' or '\t') ? '�' : letter)));

    /// <summary>Formats a coordinate with one decimal, which is a tenth of a pixel.</summary>
    public static string At(double coordinate) => coordinate.ToString("0.#", CultureInfo.InvariantCulture);
}
