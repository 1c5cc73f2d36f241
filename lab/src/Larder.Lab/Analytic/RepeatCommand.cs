using System.CommandLine;
using System.Globalization;
using Larder.Report;
using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.Output;

namespace Larder.Lab.Known;

/// <summary>The command <c>larder lab repeat</c>: tunes each client several times and shows how much the results differ.</summary>
internal static class RepeatCommand
{
    private static readonly Option<string> s_clients = new("--client")
    {
        Description = "Clients: dotnet, python or node, comma-separated.",
        DefaultValueFactory = _ => "dotnet,node,python",
    };
    private static readonly Option<string> s_target = new("--target") { Description = "Latency target.", DefaultValueFactory = _ => "p999=5ms" };
    private static readonly Option<string> s_transport = new("--transport")
    {
        Description = "Transport: pipeline, unary or auto.",
        DefaultValueFactory = _ => "auto",
    };
    private static readonly Option<string> s_budget = new("--budget") { Description = "Maximum time of each tuning run.", DefaultValueFactory = _ => "120s" };
    private static readonly Option<int> s_runs = new("--runs") { Description = "Tuning runs for each client, 1 to 100.", DefaultValueFactory = _ => 10 };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also write the table to this file after each tuning run." };

    public static Command Create()
    {
        var command = new Command("repeat", "Tunes each client several times, and prints the results, their median and their spread.")
        {
            s_clients,
            s_target,
            s_transport,
            s_budget,
            s_runs,
            s_output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => RunAsync(arguments)));
        return command;
    }

    /// <summary>Returns the rows of a client: a row for each tuning run, and a row with the median and the deviations of the extreme rates from it.</summary>
    internal static IEnumerable<string> Rows(string client, IReadOnlyList<TuneRun> runs)
    {
        for (int i = 0; i < runs.Count; i++)
        {
            TuneRun run = runs[i];
            yield return run.Proved is { } proved
                ? $"| {client} | {i + 1} | {Show.Count(proved.RatePerSecond)} | {Show.Count(proved.Cap)} | {Show.Us(proved.TargetUs)} "
                    + $"({RateAnswer.BoundsOf(proved.LowUs, proved.HighUs)}) | {Show.Percent(proved.Excluded?.Share ?? 0)} "
                    + $"| {(proved.BreaksAt is { } missed ? Show.Count(missed) : "")} | {(proved.OutOfTime ? "out of time" : "complete")} |"
                : $"| {client} | {i + 1} | no answer | | | | | {run.Answer} |";
        }

        double[] rates = [.. runs.Select(run => run.Proved?.RatePerSecond).OfType<double>().Order()];
        if (rates.Length > 0)
        {
            double median = Larder.Report.Runs.Median.Of(rates);
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"| **{client}** | {rates.Length} of {runs.Count} answers | **median {Show.Count(median)}** | | | | "
                    + $"| {(rates[0] / median) - 1:+0 %;-0 %} to {(rates[^1] / median) - 1:+0 %;-0 %} of the median |");
        }
    }

    private static async Task<int> RunAsync(ParseResult arguments)
    {
        IEnumerable<string> named = CommandLine.List(arguments.GetValue(s_clients)!).Select(one => CommandLine.OneOf(one, s_clients.Name, Agents.Clients));
        string[] clients = [.. named.Distinct()];
        TuneTarget target = TargetText.Parse(arguments.GetValue(s_target)!);
        string transport = CommandLine.OneOf(arguments.GetValue(s_transport)!, s_transport.Name, "pipeline", "unary", "auto");
        TimeSpan budget = DurationText.Parse(arguments.GetValue(s_budget)!, s_budget.Name);
        int count = arguments.GetValue(s_runs) is >= 1 and <= 100 and int given ? given : throw new FormatException("--runs must be 1 to 100");
        Dictionary<string, List<TuneRun>> runs = clients.ToDictionary(client => client, _ => new List<TuneRun>());
        var view = new PlainTuneView(Console.Error);
        // The clients alternate, so that a slow period of the machine affects all of them.
        for (int i = 0; i < count; i++)
        {
            foreach (string client in clients)
            {
                var options = new TuneOptions { Client = client, Targets = [target], Transport = transport, Budget = budget };
                runs[client].Add((await new Tuning(options, view, TimeProvider.System).RunAsync().ConfigureAwait(false))[0]);
                if (arguments.GetValue(s_output) is { } output)
                {
                    await File.WriteAllTextAsync(output.FullName, TextOf(runs, target)).ConfigureAwait(false);
                }
            }
        }

        Console.WriteLine(TextOf(runs, target));
        return runs.Values.All(list => list.TrueForAll(run => run.Proved is not null)) ? 0 : 1;
    }

    private static string TextOf(Dictionary<string, List<TuneRun>> runs, TuneTarget target) => string.Join(
        '\n',
        [
            $"# Repeated tunings, {TargetText.Of(target)}", "", .. ThisMachine.Fingerprint().Lines(CommandLine.Typed(s_output.Name)), "",
            $"| client | run | calls/s | limit | {target.Name()} | time excluded | lowest miss | end of the search |", "|---|---|---:|---:|---|---:|---:|---|",
            .. runs.SelectMany(pair => Rows(pair.Key, pair.Value)), "",
        ]);
}
