using System.CommandLine;
using Larder.Harness;
using Larder.Report.Compare;
using Larder.Report.Runs;
using Larder.Tuner.Processes;
using Spectre.Console;

namespace Larder.Tuner.Report;

/// <summary>The command <c>larder tune compare a.json b.json</c>: compares two runs on the terminal and in an HTML file.</summary>
internal static class CompareCommand
{
    public static Command Create()
    {
        var a = new Argument<FileInfo>("a.json") { Description = "JSON file of the baseline run, written by larder tune." };
        var b = new Argument<FileInfo>("b.json") { Description = "JSON file of the run to compare with the baseline." };
        var unlike = new Option<bool>("--unlike-machines") { Description = "Compare the runs even if their machines differ; the report contains a warning." };
        var output = new Option<FileInfo?>("--output") { Description = "HTML file to write. The default is compare.html in the current folder." };
        var gates = new Option<string[]>("--fail-if")
        {
            Description = "Fail if this condition is true for the change from a.json to b.json; repeatable. rate<-5%: the proved rate fell by more than 5 %. "
                + "p999>10%: the p99.9 latency, measured while confirming the proved rate, rose by more than 10 %. Also throughput<-5%.",
        };
        var command = new Command(
            "compare",
            "Compares two runs. Exit codes: 0 success; 1 a condition of --fail-if is true; 2 invalid command; 3 the machines differ; "
                + "4 a file cannot be read.")
        {
            a,
            b,
            unlike,
            gates,
            output,
        };
        command.SetAction(arguments =>
            Run(
                arguments.GetValue(a)!,
                arguments.GetValue(b)!,
                arguments.GetValue(unlike),
                arguments.GetValue(gates) ?? [],
                arguments.GetValue(output)?.FullName ?? Path.GetFullPath("compare.html")));
        return command;
    }

    /// <summary>Compares two runs. Returns the exit code.</summary>
    public static int Run(FileInfo fileA, FileInfo fileB, bool evenUnlike, IReadOnlyList<string> failIf, string output) =>
        CommandExit.Of(() => failIf.Select(CompareGate.Parse).ToArray(), gates => Run(fileA, fileB, evenUnlike, gates, output));

    private static int Run(FileInfo fileA, FileInfo fileB, bool evenUnlike, CompareGate[] gates, string output)
    {
        try
        {
            (TuneRun? a, TuneRun? b) = (TuneRunFile.Read(fileA.FullName), TuneRunFile.Read(fileB.FullName));
            IReadOnlyList<string> unlike = RunComparability.UnlikeMachines(a, b);
            if (unlike.Count > 0 && !evenUnlike)
            {
                Console.Error.WriteLine(
                    $"{fileA.Name} and {fileB.Name} were measured on different machines ({string.Join("; ", unlike)}), so their figures cannot be compared. "
                        + "Pass --unlike-machines to compare them anyway.");
                return 3;
            }

            if (gates.Length > 0 && new[] { a, b }.Any(run => run.Version < TuneRun.CurrentVersion))
            {
                throw new TunerException(
                    "one of the runs was written by an older version and has no proved rate, so --fail-if cannot be checked; run larder tune again");
            }

            Print(a, b, unlike);
            File.WriteAllText(output, CompareReport.Of(a, b, fileA.Name, fileB.Name, unlike));
            Console.WriteLine(output);
            foreach (CompareGate gate in gates)
            {
                Console.WriteLine(gate.ResultText(a, b));
            }

            return gates.Any(gate => gate.Fails(a, b)) ? 1 : 0;
        }
        catch (Exception failed) when (failed is RunFileException or HarnessException or IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine(failed.Message);
            return 4;
        }
    }

    private static void Print(TuneRun a, TuneRun b, IReadOnlyList<string> unlike)
    {
        AnsiConsole.WriteLine(CompareReport.Title(a, b));
        foreach (
            string? difference in unlike
                .Select(difference => "different machines: " + difference)
                .Concat(RunComparability.OtherDifferences(a, b))
                .Concat(RunComparability.Notes(a, b)))
        {
            AnsiConsole.WriteLine("  " + difference);
        }

        foreach (
            (IReadOnlyList<string>? headers, IReadOnlyList<IReadOnlyList<string>>? rows) in
                new[] { ComparedRuns.Answers(a, b), ComparedRuns.Search(a, b) }.Where(
                table => table.Rows.Count > 0))
        {
            Table table = new Table().Border(TableBorder.Simple);
            table.AddColumns([
                .. headers.Select(header => new TableColumn(header.EscapeMarkup())
                {
                    NoWrap = true,
                    Alignment = Justify.Right,
                    Padding = new Padding(0, 0, 1, 0),
                }),
            ]);
            foreach (IReadOnlyList<string>? row in rows)
            {
                table.AddRow([.. row.Select(cell => cell.EscapeMarkup())]);
            }

            AnsiConsole.Write(table);
        }
    }
}
