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
        var a = new Argument<FileInfo>("a.json") { Description = "A run that larder tune wrote: what is compared with." };
        var b = new Argument<FileInfo>("b.json") { Description = "Another." };
        var unlike = new Option<bool>("--unlike-machines") { Description = "Compare even where the machines differ, and say so." };
        var output = new Option<FileInfo?>("--output") { Description = "The HTML file. Default compare.html in the current folder." };
        var gates = new Option<string[]>("--fail-if")
        {
            Description = "What must not happen from A to B: rate<-5% (the proved rate), p999>10% (its confirmation), throughput<-5%. May be repeated.",
        };
        var command = new Command(
            "compare",
            "Lay two runs over each other. Exit codes: 0 done; 1 what --fail-if names happened; 2 the command is wrong; 3 the machines differ; 4 a file cannot "
                + "be read.")
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
                    $"{fileA.Name} and {fileB.Name} were measured on unlike machines ({string.Join("; ", unlike)}), so that their figures say nothing about "
                        + $"each other. --unlike-machines compares them all the same.");
                return 3;
            }

            if (gates.Length > 0 && new[] { a, b }.Any(run => run.Version < TuneRun.CurrentVersion))
            {
                throw new TunerException("a run of an older version has no proved rate: --fail-if cannot judge it");
            }

            Print(a, b, unlike);
            File.WriteAllText(output, CompareReport.Of(a, b, fileA.Name, fileB.Name, unlike));
            Console.WriteLine(output);
            foreach (CompareGate gate in gates)
            {
                Console.WriteLine(gate.Said(a, b));
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
                .Select(difference => "unlike machines: " + difference)
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
