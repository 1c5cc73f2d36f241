namespace Larder.Report.Readme;

/// <summary>The generated part of a text, between two markers.</summary>
internal static class ReadmePart
{
    /// <summary>The line before the generated part.</summary>
    public const string Begin = "<!-- larder tune readme: begin -->";

    /// <summary>The line after the generated part.</summary>
    public const string End = "<!-- larder tune readme: end -->";

    /// <summary>Returns the text with the generated part replaced.</summary>
    /// <exception cref="FormatException">The text does not contain each marker exactly once, in order.</exception>
    public static string Put(string text, string part)
    {
        (int begin, int end) = Places(text);
        return text[..begin] + "\n" + part + text[end..];
    }

    /// <summary>Returns the current generated part of a text.</summary>
    /// <exception cref="FormatException">The text does not contain each marker exactly once, in order.</exception>
    public static string In(string text)
    {
        (int begin, int end) = Places(text);
        return text[begin..end].TrimStart('\n');
    }

    private static (int Begin, int End) Places(string text)
    {
        (int begin, int end) = (text.IndexOf(Begin, StringComparison.Ordinal), text.IndexOf(End, StringComparison.Ordinal));
        return
            begin >= 0
            && end > begin
            && text.LastIndexOf(Begin, StringComparison.Ordinal) == begin
            && text.LastIndexOf(End, StringComparison.Ordinal) == end
            ? (begin + Begin.Length, end)
            : throw new FormatException($"the text must contain one line \"{Begin}\" and, below it, one line \"{End}\"");
    }
}
