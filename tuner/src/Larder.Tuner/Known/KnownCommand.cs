using System.CommandLine;
using System.Globalization;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Known;

/// <summary><c>larder tune known</c>: tunes against a server whose right answer can be computed, and prints both.</summary>
internal static class KnownCommand
{
    private static readonly Option<string> s_client = new("--client") { Description = "dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
    private static readonly Option<double> s_seconds = new("--seconds") { Description = "Length of each load of the proof.", DefaultValueFactory = _ => 30 };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Write the table to this file too." };

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var command = new Command(
            "known",
            "Tune against a server of known parallelism, service time and stalls, and compare with the computed answer. Exit code 1: they differ.")
        {
            s_client,
            s_seconds,
            s_output,
        };
        command.SetAction((arguments, _) => RunAsync(arguments.GetValue(s_client)!, arguments.GetValue(s_seconds), arguments.GetValue(s_output)));
        return command;
    }

    private static async Task<int> RunAsync(string client, double seconds, FileInfo? output)
    {
        try
        {
            IReadOnlyList<KnownLine> lines = await new KnownCheck(client, seconds, Console.Error.WriteLine).RunAsync().ConfigureAwait(false);
            string[] text =
            [
                $"# The tuner against a known server ({client})", "", .. Fingerprint.Take().Lines(CommandLine.Typed(s_output.Name)), "",
                "The server answers 10 calls at a time, 10 ms each, first come first served; where stalls are injected it does nothing for 750 ms of every "
                    + "15 s. The right answers follow from that",
                "(`Known/KnownSchedule.cs`); the tuner knows nothing of it and drives the real client against the real process, unary.", "",
                "| what | computed | found | |", "|---|---:|---:|---|",
                .. lines.Select(line => line.ToString()), "",
            ];
            Console.WriteLine(string.Join('\n', text));
            if (output is not null)
            {
                await File.WriteAllTextAsync(output.FullName, string.Join('\n', text)).ConfigureAwait(false);
            }

            return lines.All(line => line.Holds) ? 0 : 1;
        }
        catch (TunerException failed)
        {
            Console.Error.WriteLine(failed.Message);
            return 4;
        }
    }
}

/// <summary>One comparison.</summary>
internal sealed record KnownLine(string What, double Computed, double Found, string Unit, bool Holds, string Rule)
{
    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"| {What} | {Computed:N1} {Unit} | {Found:N1} {Unit} | {(Holds ? "holds" : "DOES NOT HOLD")}: {Rule} |");
}
