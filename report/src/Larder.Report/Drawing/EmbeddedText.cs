namespace Larder.Report.Drawing;

/// <summary>A text embedded in the assembly, such as a style sheet.</summary>
internal static class EmbeddedText
{
    /// <summary>Returns the text with normalized line ends, because browsers compute the hash of the text in this form.</summary>
    public static string Of(string name)
    {
        using Stream stream =
            typeof(EmbeddedText).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException(
                $"The resource {name} is missing from the assembly.");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
