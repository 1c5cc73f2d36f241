namespace Larder.Report.Readme;

/// <summary>The part of a text that is made by the program: what stands between its two markers.</summary>
internal static class ReadmePart
{
    /// <summary>The line before it.</summary>
    public const string Begin = "<!-- larder tune readme: begin -->";

    /// <summary>The line after it.</summary>
    public const string End = "<!-- larder tune readme: end -->";

    /// <summary>A text with the part in its place.</summary>
    /// <exception cref="FormatException">The markers are not there, each once and in order.</exception>
    public static string Put(string text, string part)
    {
        (int begin, int end) = Places(text);
        return text[..begin] + "\n" + part + text[end..];
    }

    /// <summary>The part that a text holds now.</summary>
    /// <exception cref="FormatException">The markers are not there, each once and in order.</exception>
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
            : throw new FormatException($"the text needs one line \"{Begin}\" and after it one line \"{End}\"");
    }
}
