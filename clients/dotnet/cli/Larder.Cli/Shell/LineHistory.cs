namespace Larder.Cli;

/// <summary>The lines typed before, in a file that only its owner reads. Lines with a token are not kept.</summary>
/// <param name="path">The file; null: none is kept beyond the program's end.</param>
internal sealed class LineHistory(string? path)
{
    // What is kept, and what the file may grow to before it is written anew.
    private const int Most = 1_000;

    private readonly List<string> _lines = Load(path);

    public IReadOnlyList<string> Lines => _lines;

    /// <summary>Where it is kept: XDG_STATE_HOME, or what stands in for it.</summary>
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

    /// <summary>Keeps the lines; a folder that cannot be written to costs the history alone.</summary>
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
            Console.Error.WriteLine($"The history is not kept: {refused.Message}");
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
            Console.Error.WriteLine($"The history cannot be read: {refused.Message}");
            return [];
        }
    }
}
