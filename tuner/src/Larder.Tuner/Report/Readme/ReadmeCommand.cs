using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Tuner.Processes;
using Larder.Tuner.Report.Drawing;
using Larder.Tuner.Report.Graphs;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report.Readme;

/// <summary>
/// <c>larder tune readme</c>: makes the README's results table and its pictures from the committed runs; with <c>--check</c> only says whether they
/// are as they would be made.
/// </summary>
internal static class ReadmeCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var check = new Option<bool>("--check") { Description = "Write nothing; exit code 1 where the table or a picture is not what would be written." };
        var command = new Command("readme", "Make the README's results table and its pictures from tuner/results.") { check };
        command.SetAction(arguments => Run(Programs.Root, arguments.GetValue(check)));
        return command;
    }

    /// <summary>
    /// The committed runs with a proved rate, or the word that there is none: the JSON files under <c>tuner/results</c> that hold a search, but for those of
    /// older versions; other programs' results lie there too.
    /// </summary>
    public static IReadOnlyList<TuneRun> Committed() =>
    [
        .. Directory.GetFiles(Path.Combine(Programs.Root, "tuner/results"), "*.json", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal)
            .Where(HoldsSearch)
            .Select(TuneRunFile.Read)
            .Where(run => run.Version == TuneRun.CurrentVersion),
    ];

    private static bool HoldsSearch(string path) => JsonNode.Parse(File.ReadAllText(path)) is JsonObject root && root.ContainsKey("search");

    /// <summary>
    /// What is made from <paramref name="runs"/>: files of the repository, by name, and their text; nothing without runs, so that what an older version made
    /// stands until it is measured anew. <paramref name="readme"/> is the README's text now.
    /// </summary>
    /// <exception cref="FormatException">The README has no place for the table.</exception>
    public static IReadOnlyList<(string Name, string Text)> Made(string readme, IReadOnlyList<TuneRun> runs)
    {
        return ResultsTable.InOrder(runs) is not [TuneRun first, ..]
            ? []
            :
            [
                ("README.md", ResultsTable.Put(readme, ResultsTable.Of(runs))),
                ("docs/pictures/throughput.svg", SvgFile.Of(SearchGraphs.Throughput([new GraphedRun(first)]))),
                ("docs/pictures/latency.svg", SvgFile.Of(SearchGraphs.Latency([new GraphedRun(first)]))),
            ];
    }

    private static int Run(string root, bool check)
    {
        try
        {
            (string Name, string Text)[] changed =
                [.. Made(File.ReadAllText(Path.Combine(root, "README.md")), Committed()).Where(made => !Holds(Path.Combine(root, made.Name), made.Text))];
            foreach ((string name, string text) in changed)
            {
                if (check)
                {
                    Console.Error.WriteLine($"{name} is not what tuner/results makes it: run ./larder tune readme");
                }
                else
                {
                    File.WriteAllText(Path.Combine(root, name), text);
                }
            }

            return check && changed.Length > 0 ? 1 : 0;
        }
        catch (Exception failed) when (failed is TunerException or FormatException or IOException or JsonException)
        {
            Console.Error.WriteLine($"README.md: {failed.Message}");
            return 4;
        }
    }

    private static bool Holds(string path, string text) => File.Exists(path) && File.ReadAllText(path) == text;
}
