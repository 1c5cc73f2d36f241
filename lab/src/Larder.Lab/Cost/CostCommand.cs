using System.CommandLine;
using Larder.Report.Runs;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Cost;

/// <summary>
/// The command <c>larder lab cost</c>: measures the overhead of the stall meter and the load generators, and the tail latency. It measures this checkout and
/// optionally another one.
/// </summary>
internal static class CostCommand
{
    private static readonly Option<string> s_client = new("--client")
    {
        Description = "Client: dotnet, python, node or all.",
        DefaultValueFactory = _ => "all",
    };
    private static readonly Option<string> s_transport = new("--transport")
    {
        Description = "Transport: pipeline, unary or both.",
        DefaultValueFactory = _ => "both",
    };
    private static readonly Option<string> s_budget = new("--budget")
    {
        Description = "Time budget of the run, 20s to 3600s. Each load has a minimum duration, so a run with many loads can take longer.",
        DefaultValueFactory = _ => DurationText.Of(CostOptions.UsualBudget),
    };
    private static readonly Option<int> s_passes = new("--passes")
    {
        Description = "Number of passes over all rates, 1 to 20; results are medians.",
        DefaultValueFactory = _ => 3,
    };
    private static readonly Option<double?> s_seconds = new("--seconds")
    {
        Description = "Measured seconds per load, 0.1 to 600. The default is an even share of the budget.",
    };
    private static readonly Option<DirectoryInfo?> s_before = new("--before")
    {
        Description = "Folder of another built checkout. Its server and agents are measured alternately with those of this checkout.",
    };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also write the table to this file." };

    public static Command Create()
    {
        var command = new Command(
            "cost",
            "Measures the cost of the stall meter, the cost of the load generator and the p99.9 of scheduled calls, each at 50, 70 and 85 % of the best rate. "
                + "Exit codes: 1 the meter or the generator costs more than 10 %; 4 a required program is missing or failed. Ctrl+C prints the results so far.")
        {
            s_client,
            s_transport,
            s_budget,
            s_passes,
            s_seconds,
            s_before,
            s_output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => RunAsync(Read(arguments), arguments.GetValue(s_output))));
        return command;
    }

    private static CostOptions Read(ParseResult arguments)
    {
        string client = CommandLine.OneOf(arguments.GetValue(s_client)!, s_client.Name, [.. Agents.Clients, "all"]);
        string transport = CommandLine.OneOf(arguments.GetValue(s_transport)!, s_transport.Name, "pipeline", "unary", "both");
        DirectoryInfo? before = arguments.GetValue(s_before);
        string command = CommandLine.Typed(s_output.Name);
        var options = new CostOptions
        {
            Clients = client == "all" ? Agents.Clients : [client],
            Transports = transport == "both" ? ["pipeline", "unary"] : [transport],
            Budget = DurationText.Parse(arguments.GetValue(s_budget)!, s_budget.Name),
            Passes = arguments.GetValue(s_passes),
            Seconds = arguments.GetValue(s_seconds),
            Before = before is null ? null : OtherCheckout.Open(before.FullName),
            // The report contains the commit of the other checkout instead of its path, because the path must not be published.
            Command = before is null ? command : command.Replace(before.ToString(), "CHECKOUT", StringComparison.Ordinal),
        };
        Check(options.Budget.TotalSeconds is >= 20 and <= 3600, "--budget must be 20s to 3600s");
        Check(options.Seconds is null or (>= 0.1 and <= 600), "--seconds must be 0.1 to 600");
        Check(options.Passes is >= 1 and <= 20, "--passes must be 1 to 20");
        return options;
    }

    private static async Task<int> RunAsync(CostOptions options, FileInfo? output)
    {
        Fingerprint machine = ThisMachine.Fingerprint();
        string? before = options.Before is null ? null : ThisMachine.CommitOf(options.Before.Root);
        var measurement = new CostMeasurement(options, Console.Error, TimeProvider.System);
        void Write(params string[] missing)
        {
            string text = CostReport.Of(machine, options.Command, before, measurement.Rows, [.. measurement.Failures, .. missing]);
            Console.WriteLine(text);
            if (output is not null)
            {
                File.WriteAllText(output.FullName, text);
            }
        }

        Interruption.Keep = () => Write("the remaining loads (interrupted)");
        await measurement.RunAsync().ConfigureAwait(false);
        Interruption.Keep = null;
        Write();
        return measurement.Failures.Count > 0 ? 4 : measurement.Rows.All(row => row.Holds) ? 0 : 1;
    }

    private static void Check(bool holds, string rule)
    {
        if (!holds)
        {
            throw new FormatException(rule);
        }
    }
}
