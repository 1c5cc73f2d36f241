namespace Larder.Report.Drawing;

/// <summary>
/// Estimates the size of a text before it is drawn. The letter widths are those of DejaVu Sans, as fractions of the font size. This font was chosen because it
/// is wider than the other fonts that the page requests.
/// </summary>
internal static class TextSize
{
    /// <summary>The font size of names, in graph units. The texts of marks and ticks are slightly smaller.</summary>
    public const double Usual = 12.5;

    /// <summary>The height of a text above its baseline (0.93 of the font size in DejaVu Sans), and below its baseline (0.24 of the font size).</summary>
    public const double Above = 0.93 * Usual, Below = 0.24 * Usual;

    /// <summary>The maximum ratio of the width of bold text to that of regular text.</summary>
    private const double Bold = 1.14;

    private static readonly (string Letters, double Width)[] s_widths =
    [
        ("ijl", 0.28),
        (" .,:;'|!·", 0.34),
        ("ftr()[]/-–", 0.5),
        ("%<>=+×~≈…", 0.95),
        ("mMW@", 1.0),
        ("w", 0.82),
        ("abcdeghknopqsuvxyz0123456789µ", 0.64),
        ("ABCDEFGHIJKLNOPQRSTUVXYZ", 0.79),
    ];

    private static readonly Dictionary<char, double> s_widthOf =
        s_widths.SelectMany(pair => pair.Letters.Select(letter => (letter, pair.Width))).ToDictionary();

    /// <summary>Returns the width in the units of <paramref name="size"/>. Letters of other alphabets are assumed to be as wide as they are high.</summary>
    public static double Width(string text, bool bold = false, double size = Usual) =>
        size * (bold ? Bold : 1) * text.Sum(letter => s_widthOf.GetValueOrDefault(letter, letter < 0x250 ? 0.79 : 1));

    /// <summary>Returns the text, truncated with … if it is wider than <paramref name="width"/>.</summary>
    public static string Fit(string text, double width, bool bold = false)
    {
        int length = text.Length;
        while (length > 0 && Width(length == text.Length ? text : text[..length] + "…", bold) > width)
        {
            length--;
        }

        return length == text.Length ? text : text[..length] + "…";
    }
}
