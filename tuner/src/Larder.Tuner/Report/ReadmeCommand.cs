using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Report.Readme;
using Larder.Report.Runs;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Report;

/// <summary>
/// The command <c>larder tune readme</c>. From the committed runs, it generates the results table of the README, the pictures of the README, and the list of
/// all results. With <c>--check</c>, it only reports whether they are up to date.
/// </summary>
internal static class ReadmeCommand
{
    private const string Results = "tuner/results";

    public static Command Create()
    {
        var check = new Option<bool>("--check") { Description = "Write nothing; the exit code is 1 if a table or picture is out of date." };
        var command = new Command("readme", "Generates the README's results table, its pictures and the list of all runs from tuner/results.") { check };
        command.SetAction(arguments => Run(Programs.Root, arguments.GetValue(check)));
        return command;
    }

    /// <summary>
    /// Returns the committed runs: the JSON files under <c>tuner/results</c> that contain a search. The folder also contains results of other programs.
    /// </summary>
    public static IReadOnlyList<CommittedRun> Committed()
    {
        string folder = Path.Combine(Programs.Root, Results);
        return
        [
            .. Directory.GetFiles(folder, "*.json", SearchOption.AllDirectories)
                .Order(StringComparer.Ordinal)
                .Where(HoldsSearch)
                .Select(path => new CommittedRun(Path.GetRelativePath(folder, path).Replace('\\', '/'), TuneRunFile.Read(path))),
        ];
    }

    /// <summary>
    /// Generates the list of all results and, if there are runs of the current version, the README and its pictures. Returns the paths of the files in the
    /// repository, and their contents.
    /// </summary>
    public static IReadOnlyList<(string Name, string Text)> Made() => ReadmeFiles.Made(
        File.ReadAllText(Path.Combine(Programs.Root, "README.md")),
        File.ReadAllText(Path.Combine(Programs.Root, Results, "README.md")),
        Committed());

    private static bool HoldsSearch(string path) => JsonNode.Parse(File.ReadAllText(path)) is JsonObject root && root.ContainsKey("search");

    private static int Run(string root, bool check)
    {
        try
        {
            (string Name, string Text)[] changed = [.. Made().Where(made => !Holds(Path.Combine(root, made.Name), made.Text))];
            foreach ((string name, string text) in changed)
            {
                if (check)
                {
                    Console.Error.WriteLine($"{name} is out of date; run ./larder tune readme");
                }
                else
                {
                    File.WriteAllText(Path.Combine(root, name), text);
                }
            }

            return check && changed.Length > 0 ? 1 : 0;
        }
        catch (Exception failed) when (failed is RunFileException or HarnessException or FormatException or IOException or JsonException)
        {
            Console.Error.WriteLine($"README.md: {failed.Message}");
            return 4;
        }
    }

    private static bool Holds(string path, string text) => File.Exists(path) && File.ReadAllText(path) == text;
}
