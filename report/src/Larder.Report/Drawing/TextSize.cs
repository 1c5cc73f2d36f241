namespace Larder.Report.Drawing;

/// <summary>
/// How much room a text takes, before anybody draws it: by letters, as wide as DejaVu Sans has them (its own table of advances, in parts of the size), which
/// is wider than the other fonts that a page asks for.
/// </summary>
internal static class TextSize
{
    /// <summary>The size of names, in a graph's units; marks and ticks are a little smaller.</summary>
    public const double Usual = 12.5;

    /// <summary>What a text takes above and below its baseline: DejaVu's 0.93 and 0.24 of the size.</summary>
    public const double Above = 0.93 * Usual, Below = 0.24 * Usual;

    /// <summary>Bold letters are wider by at most so much.</summary>
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

    /// <summary>Width, in the units of <paramref name="size"/>; a letter of another alphabet is as wide as it is high.</summary>
    public static double Width(string text, bool bold = false, double size = Usual) =>
        size * (bold ? Bold : 1) * text.Sum(letter => s_widthOf.GetValueOrDefault(letter, letter < 0x250 ? 0.79 : 1));

    /// <summary>The text, cut with … where it is wider than that.</summary>
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
