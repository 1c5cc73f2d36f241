namespace Larder.Report.Drawing;

/// <summary>A text that the program carries, such as its style.</summary>
internal static class EmbeddedText
{
    /// <summary>The text, with its line ends made the same: a browser hashes it so.</summary>
    public static string Of(string name)
    {
        using Stream stream =
            typeof(EmbeddedText).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"{name} is not in the assembly");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
