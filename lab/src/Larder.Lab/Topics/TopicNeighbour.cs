using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;

namespace Larder.Lab.Topics;

/// <summary>Measures the gets and sets of another client on a server while a topic of the server is busy, and while it is idle, alternately.</summary>
internal static class TopicNeighbour
{
    // The number of callers. At the rates of this measurement, a caller is always free.
    private const int Callers = 500;

    // The time in seconds for which the topic stays busy after the warm-up and the measured time of the calls.
    private const double BusyBeyondSeconds = 2;

    /// <summary>Returns the lines of a Markdown table with the p99.9 of the calls while the topic is idle, and while it is busy.</summary>
    public static async Task<IReadOnlyList<string>> RunAsync(TopicBenchOptions options, TopicContender topics, int subscribers, double rate, Action<string> say)
    {
        AgentProcess calls = await AgentProcess.StartAsync(Agents.OfClient("dotnet")).ConfigureAwait(false);
        await using (calls.ConfigureAwait(false))
        {
            await calls.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = topics.Endpoint, ["configuration"] = "laptop" }).ConfigureAwait(false);
            List<double> quiet = [];
            List<double> busy = [];
            for (int round = 0; round < options.Rounds; round++)
            {
                foreach (bool isBusy in round % 2 == 0 ? (bool[])[false, true] : [true, false])
                {
                    double p999 = await TurnAsync(options, topics, calls, isBusy ? rate : 0, round).ConfigureAwait(false);
                    (isBusy ? busy : quiet).Add(p999);
                    say($"calls of another client, round {round + 1} of {options.Rounds}, {(isBusy ? "busy" : "quiet")} topic: p99.9 {p999 / 1_000:0.00} ms");
                }
            }

            return Lines(options, subscribers, rate, quiet, busy);
        }
    }

    public static IReadOnlyList<string> Lines(
        TopicBenchOptions options, int subscribers, double rate, IReadOnlyList<double> quiet, IReadOnlyList<double> busy) =>
    [
        "| calls/s | topic | p99.9 ms | lowest | highest | ratio |",
        "|---:|---|---:|---:|---:|---:|",
        string.Create(
            CultureInfo.InvariantCulture,
            $"| {options.CallsPerSecond:N0} | none | {Median.Of(quiet) / 1_000:0.00} | {quiet.Min() / 1_000:0.00} | {quiet.Max() / 1_000:0.00} | |"),
        string.Create(
            CultureInfo.InvariantCulture,
            $"| {options.CallsPerSecond:N0} | {subscribers:N0} subscribers, {rate:N0} messages/s | {Median.Of(busy) / 1_000:0.00} | {busy.Min() / 1_000:0.00} "
                + $"| {busy.Max() / 1_000:0.00} | {Median.Of(busy) / Median.Of(quiet):0.00} |"),
    ];

    private static async Task<double> TurnAsync(TopicBenchOptions options, TopicContender topics, AgentProcess calls, double rate, int round)
    {
        Task topic = rate > 0
            ? topics.PaceAsync(options with { Seconds = options.Seconds + options.WarmupSeconds + BusyBeyondSeconds }, rate)
            : Task.CompletedTask;
        JsonObject line = await calls.RequireAsync(new JsonObject
        {
            ["op"] = "load",
            ["callers"] = Callers,
            ["seconds"] = options.Seconds,
            ["warmupSeconds"] = options.WarmupSeconds,
            ["seed"] = round + 1,
            ["progress"] = false,
            ["openLoopRatePerSecond"] = options.CallsPerSecond,
            ["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = round == 0 },
        }).ConfigureAwait(false);
        await topic.ConfigureAwait(false);
        return Round.From(line).Histogram.QuantileUs(0.999);
    }
}
