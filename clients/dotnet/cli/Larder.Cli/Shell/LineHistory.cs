namespace Larder.Cli;

/// <summary>The previous lines, stored in a file that only its owner can read. Lines with a token are not stored.</summary>
/// <param name="path">The path of the file. If null, the history is not saved.</param>
internal sealed class LineHistory(string? path)
{
    // The maximum number of lines, in memory and in the file.
    private const int Most = 1_000;

    private readonly List<string> _lines = Load(path);

    public IReadOnlyList<string> Lines => _lines;

    /// <summary>Gets the path of the default file. It is in the folder that XDG_STATE_HOME specifies, or in ~/.local/state if it is not set.</summary>
    public static string DefaultPath => Path.Combine(
        Environment.GetEnvironmentVariable("XDG_STATE_HOME") is { Length: > 0 } state
            ? state
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".local", "state"),
        "larder",
        "history");

    public void Add(string line)
    {
        if (string.IsNullOrWhiteSpace(line) || line.Contains("--token", StringComparison.Ordinal) || line.Contains('@', StringComparison.Ordinal)
            || (_lines.Count > 0 && _lines[^1] == line))
        {
            return;
        }

        _lines.Add(line);
        if (_lines.Count > Most)
        {
            _lines.RemoveRange(0, _lines.Count - Most);
        }
    }

    /// <summary>Saves the lines to the file. If the folder is not writable, the history is not saved, and no error is reported.</summary>
    public void Save()
    {
        if (path is null)
        {
            return;
        }

        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            FileStreamOptions options = new() { Mode = FileMode.Create, Access = FileAccess.Write };
            if (!OperatingSystem.IsWindows())
            {
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            }

            using StreamWriter writer = new(path, options);
            _lines.ForEach(writer.WriteLine);
        }
        catch (Exception refused) when (refused is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"Cannot save the history: {refused.Message}");
        }
    }

    private static List<string> Load(string? path)
    {
        try
        {
            return path is not null && File.Exists(path) ? [.. File.ReadLines(path).TakeLast(Most)] : [];
        }
        catch (Exception refused) when (refused is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"Cannot read the history: {refused.Message}");
            return [];
        }
    }
}
