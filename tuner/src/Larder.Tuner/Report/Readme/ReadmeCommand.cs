using System.CommandLine;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report.Readme;

/// <summary><c>larder tune readme</c>: makes the README's results table from the committed runs; with <c>--check</c> only says whether it is as it would be made.</summary>
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

    /// <summary>The committed runs: every JSON file under <c>tuner/results</c>.</summary>
    public static IReadOnlyList<TuneRun> Committed() =>
        [.. Directory.GetFiles(Path.Combine(Programs.Root, "tuner/results"), "*.json", SearchOption.AllDirectories).Order(StringComparer.Ordinal).Select(TuneRunFile.Read)];

    private static int Run(string path, bool check)
    {
        try
        {
            var readme = File.ReadAllText(path);
            var table = ResultsTable.Of(Committed());
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
        catch (Exception failed) when (failed is TunerException or FormatException or IOException)
        {
            Console.Error.WriteLine($"README.md: {failed.Message}");
            return 4;
        }
    }
}
