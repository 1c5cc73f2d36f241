using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report.Readme;

/// <summary>
/// <c>larder tune readme</c>: makes the README's results table from the committed runs; with <c>--check</c> only says whether it is as it would be made.
/// </summary>
internal static class ReadmeCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var check = new Option<bool>("--check") { Description = "Write nothing; exit code 1 where the README's table is not the one that would be written." };
        var command = new Command("readme", "Make the README's results table from tuner/results.") { check };
        command.SetAction(arguments => Run(Path.Combine(Programs.Root, "README.md"), arguments.GetValue(check)));
        return command;
    }

    /// <summary>The committed runs: the JSON files under <c>tuner/results</c> that hold a search; other programs' results lie there too.</summary>
    public static IReadOnlyList<TuneRun> Committed() =>
    [
        .. Directory.GetFiles(Path.Combine(Programs.Root, "tuner/results"), "*.json", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal)
            .Where(HoldsSearch)
            .Select(TuneRunFile.Read),
    ];

    private static bool HoldsSearch(string path) => JsonNode.Parse(File.ReadAllText(path)) is JsonObject root && root.ContainsKey("search");

    private static int Run(string path, bool check)
    {
        try
        {
            string readme = File.ReadAllText(path);
            string table = ResultsTable.Of(Committed());
            if (!check)
            {
                File.WriteAllText(path, ResultsTable.Put(readme, table));
                return 0;
            }

            if (ResultsTable.In(readme) == table)
            {
                return 0;
            }

            Console.Error.WriteLine("README.md's results are not those of tuner/results: run ./larder tune readme");
            return 1;
        }
        catch (Exception failed) when (failed is TunerException or FormatException or IOException or JsonException)
        {
            Console.Error.WriteLine($"README.md: {failed.Message}");
            return 4;
        }
    }
}
