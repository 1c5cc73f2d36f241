using System.Globalization;
using System.Net;

namespace Larder.Report.Drawing;

/// <summary>Pieces of HTML and SVG text. Whatever comes from outside goes through <see cref="Escape"/>.</summary>
internal static class Html
{
    /// <summary>Text as content or as the value of a quoted attribute. Control characters, which no page may hold, are shown as �.</summary>
    public static string Escape(string? text) =>
        WebUtility.HtmlEncode(string.Concat((text ?? "").Select(letter => char.IsControl(letter) && letter is not ('\n' or '\t') ? '�' : letter)));

    /// <summary>A coordinate: one decimal, which is a tenth of a pixel.</summary>
    public static string At(double coordinate) => coordinate.ToString("0.#", CultureInfo.InvariantCulture);
}
