using System.CommandLine;
using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Known;

/// <summary>
/// The command <c>larder lab known</c>: tunes a client against a server for which the correct result can be computed. Prints the computed and the measured
/// result.
/// </summary>
internal static class AnalyticCommand
{
    private static readonly Option<string> s_client = new("--client") { Description = "Client: dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
    private static readonly Option<double> s_seconds = new("--seconds") { Description = "Duration of each load in seconds.", DefaultValueFactory = _ => 30 };
    private static readonly Option<string> s_part = new("--part")
    {
        Description = "Parts to run: knees (closed loop), stalls (open loop with stalls), rates (the highest rate for each limit in --limits) or all.",
        DefaultValueFactory = _ => "all",
    };
    private static readonly Option<string> s_budget = new("--budget")
    {
        Description = "Maximum duration of all rate searches together.",
        DefaultValueFactory = _ => "155s",
    };
    private static readonly Option<string> s_limits = new("--limits")
    {
        Description = "Limits for p99 in ms, comma-separated. The tuner searches for the highest rate for each limit. No rate meets a limit below the service "
            + "time of 10 ms.",
        DefaultValueFactory = _ => "8,14,16,20,28,40",
    };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also write the table to this file." };

    public static Command Create()
    {
        var command = new Command(
            "known",
            "Tunes a client against a server with known parallelism, service time and stalls, and compares the measured results with the computed results. "
                + "The exit code is 1 if they differ.")
        {
            s_client,
            s_part,
            s_seconds,
            s_budget,
            s_limits,
            s_output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => RunAsync(arguments)));
        return command;
    }

    private static double[] LimitsOf(string text) =>
    [
        .. CommandLine.List(text)
            .Select(
                one =>
                    double.TryParse(one, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double ms) && ms is > 0 and <= 10_000
                        ? ms
                        : throw new FormatException($"--limits must be milliseconds up to 10,000, comma-separated, but contains \"{one}\""))
            .Order(),
    ];

    private static async Task<int> RunAsync(ParseResult arguments)
    {
        string client = CommandLine.OneOf(arguments.GetValue(s_client)!, s_client.Name, Agents.Clients);
        string part = CommandLine.OneOf(arguments.GetValue(s_part)!, s_part.Name, "knees", "stalls", "rates", "all");
        FileInfo? output = arguments.GetValue(s_output);
        var check = new AnalyticCheck(client, arguments.GetValue(s_seconds), Console.Error.WriteLine);
        TimeSpan budget = DurationText.Parse(arguments.GetValue(s_budget)!, s_budget.Name);
        var rates = new AnalyticRates(client, LimitsOf(arguments.GetValue(s_limits)!), budget, Console.Error.WriteLine);
        IReadOnlyList<AnalyticLine> lines =
        [
            .. part is "knees" or "all" ? await check.KneesAsync().ConfigureAwait(false) : [],
            .. part is "stalls" or "all" ? await check.StallsAsync().ConfigureAwait(false) : [],
            .. part is "rates" or "all" ? await rates.RunAsync().ConfigureAwait(false) : [],
        ];
        string[] text =
        [
            $"# The tuner against a server with computable results ({client})", "", .. ThisMachine.Fingerprint().Lines(CommandLine.Typed(s_output.Name)), "",
            "The server processes 10 calls concurrently (40 in the part `rates`), 10 ms each, in order of arrival. If stalls are injected, it stops "
                + "for 750 ms every 15 s.",
            "The computed results follow from these numbers (`Analytic/AnalyticSchedule.cs`; rates by simulating a million calls). The tuner does not know the "
                + "computed results: it measures the real client with unary calls against the server process.",
            "",
            "| figure | computed | measured | verdict |", "|---|---:|---:|---|",
            .. lines.Select(line => line.ToString()), "",
        ];
        Console.WriteLine(string.Join('\n', text));
        if (output is not null)
        {
            await File.WriteAllTextAsync(output.FullName, string.Join('\n', text)).ConfigureAwait(false);
        }

        return lines.All(line => line.Holds) ? 0 : 1;
    }
}

/// <summary>One comparison of a computed and a measured value.</summary>
internal sealed record AnalyticLine(string What, double Computed, double Found, string Unit, bool Holds, string Rule)
{
    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"| {What} | {Computed:N1} {Unit} | {Found:N1} {Unit} | {(Holds ? "pass" : "FAIL")}: {Rule} |");
}
