using System.CommandLine;
using System.CommandLine.Parsing;

namespace Larder.Tuner;

/// <summary>Checks that the file or folder of <c>--output</c> can be written, so that a command fails before it spends minutes on measuring.</summary>
internal static class OutputCheck
{
    private const string OptionName = "--output";

    /// <summary>
    /// Returns the reason why the given output cannot be written. Returns null if it can be written or if no output was given. Creates the missing folder of a
    /// file.
    /// </summary>
    public static string? ProblemOf(ParseResult parsed)
    {
        OptionResult? given = parsed.CommandResult.Children.OfType<OptionResult>().FirstOrDefault(static each => each.Option.Name == OptionName);
        return given is not { Implicit: false, Tokens: [{ Value: { } path }] } ? null
            : given.Option.ValueType == typeof(DirectoryInfo) ? ProblemOfFolder(path)
            : ProblemOfFile(path);
    }

    /// <summary>Returns the reason why a folder cannot be created or written to, or null if it can. Deletes the file that it creates for the check.</summary>
    public static string? ProblemOfFolder(string path) => ProblemOf(path, () =>
    {
        string folder = Path.GetFullPath(path);
        while (!Path.Exists(folder) && Path.GetDirectoryName(folder) is { } parent)
        {
            folder = parent;
        }

        string file = Path.Combine(folder, $".larder-{Guid.NewGuid():N}");
        using FileStream probe = new(file, FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose);
    });

    /// <summary>Throws if a folder cannot be created or written to.</summary>
    /// <exception cref="FormatException">The folder is not writable. The message contains the reason.</exception>
    public static void RequireFolder(string path)
    {
        if (ProblemOfFolder(path) is { } problem)
        {
            throw new FormatException(problem);
        }
    }

    // An existing file is not changed. A missing file is created and deleted again.
    private static string? ProblemOfFile(string path) => ProblemOf(path, () =>
    {
        FileInfo file = new(path);
        file.Directory?.Create();
        FileOptions options = file.Exists ? FileOptions.None : FileOptions.DeleteOnClose;
        using FileStream opened = new(file.FullName, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite, 1, options);
    });

    private static string? ProblemOf(string path, Action attempt)
    {
        try
        {
            attempt();
            return null;
        }
        catch (Exception unwritable) when (unwritable is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return $"cannot write {path}: {unwritable.Message} Pass another {OptionName}.";
        }
    }
}
