using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance.Hostile;

/// <summary>
/// Measures fault N12 of docs/faults.md: a client of a good server makes calls, while other clients in the same agent receive random and grammar-based answers
/// from hostile servers. Each round consists of one measurement without hostile servers, and one measurement with each kind of hostile server.
/// </summary>
internal sealed class HostileNeighbour(ProgramCommand command, string goodServer, int rounds, double laneSeconds, int seed, Action<string> say)
{
    /// <summary>The maximum ratio of the p99 with hostile servers to the p99 without them.</summary>
    public const double MaxSlowdown = 3;

    private const int Callers = 100;
    private const int RatePerSecond = 500;

    // The measurement without hostile servers takes a third of the time. This is enough, because the result is the median of all rounds.
    private const double QuietPart = 1.0 / 3;

    private static readonly string[] s_transports = ["pipeline", "unary"];

    /// <summary>Runs all rounds and returns the result.</summary>
    public async Task<HostileFinding> RunAsync()
    {
        await using AgentProcess agent = await AgentProcess.StartAsync(command).ConfigureAwait(false);
        JsonObject opened = await agent.RequireAsync(new JsonObject
        {
            ["op"] = "open",
            ["endpoint"] = goodServer,
            ["transport"] = "pipeline",
            ["configuration"] = "laptop",
        }).ConfigureAwait(false);
        var finding = new HostileFinding(command.Name, s_transports, laneSeconds);
        PeakMemory? memory = null;
        for (int round = 0; round <= rounds && finding.Broken.Count == 0; round++)
        {
            try
            {
                JsonObject quiet = await LoadAsync(agent, laneSeconds * QuietPart, isFirst: round == 0).ConfigureAwait(false);
                JsonObject[] beside =
                [
                    await RunAlongsideAsync(agent, MalformedExchange.AtRandom, seed + round, finding).ConfigureAwait(false),
                    await RunAlongsideAsync(agent, MalformedExchange.Grammar, seed + round, finding).ConfigureAwait(false),
                ];
                say(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{command.Name}, {(round == 0 ? "warm-up" : $"round {round}")}: p99 {NeighbourTimes.P99Us(quiet):N0} µs; beside random frames "
                            + $"{NeighbourTimes.P99Us(beside[0]):N0}, beside grammar-made {NeighbourTimes.P99Us(beside[1]):N0}"));
                if (round > 0)
                {
                    finding.Add(quiet, beside[0], beside[1]);
                }
            }
            catch (HarnessException ended)
            {
                finding.Broken.Add(ended.Message);
            }

            memory ??= finding.Broken.Count == 0 ? new PeakMemory(opened["pid"]!.GetValue<int>()) : null;
        }

        finding.GrownBytes = finding.Broken.Count == 0 ? memory?.GrownBytes() ?? 0 : 0;
        return finding;
    }

    private async Task<JsonObject> RunAlongsideAsync(AgentProcess agent, HostileMode mode, int from, HostileFinding finding)
    {
        await using var sessions = new HostileSessions(agent, mode, s_transports, from);
        Task<JsonObject> load = LoadAsync(agent, laneSeconds, isFirst: false);
        await sessions.RunAsync(() => load.IsCompleted).ConfigureAwait(false);
        finding.Add(sessions);
        return await load.ConfigureAwait(false);
    }

    private static Task<JsonObject> LoadAsync(AgentProcess agent, double seconds, bool isFirst) => agent.RequireAsync(new JsonObject
    {
        ["op"] = "load",
        ["callers"] = Callers,
        ["seconds"] = seconds,
        ["warmupSeconds"] = 0.3,
        ["progress"] = false,
        ["verify"] = true,
        ["openLoopRatePerSecond"] = RatePerSecond,
        ["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = isFirst },
    });
}
