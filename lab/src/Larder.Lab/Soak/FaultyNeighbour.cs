using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Lab.Soak;

/// <summary>
/// A second client of the same server. Its request headers make the server inject errors and delays (<c>--fault-injection</c>). In each period of ten
/// seconds, the first few hundred calls fail with UNAVAILABLE or are delayed. The client retries the failed calls. This exercises the error paths during the
/// whole load.
/// </summary>
internal sealed class FaultyNeighbour(AgentProcess agent, string endpoint)
{
    private const double SecondsEach = 10;

    /// <summary>Gets the number of calls so far.</summary>
    public long Calls { get; private set; }

    public long Failures { get; private set; }

    /// <summary>Gets the number of responses that contained a value of another key.</summary>
    public long Crossed { get; private set; }

    /// <summary>Runs until cancelled.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        for (int turn = 0; !stop.IsCancellationRequested; turn++)
        {
            await agent.RequireAsync(Open(turn)).ConfigureAwait(false);
            JsonObject load = await agent.RequireAsync(Load(turn)).ConfigureAwait(false);
            Calls += (long)load["requests"]! + (long)load["lateRequests"]!;
            Failures += load["errors"]!.AsObject().Sum(pair => (long)pair.Value!);
            Crossed += (long)load["crossed"]!;
            await agent.RequireAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
        }
    }

    private static JsonObject Load(int turn) => new()
    {
        ["op"] = "load",
        ["callers"] = 4,
        ["seconds"] = SecondsEach,
        ["warmupSeconds"] = 0,
        ["progress"] = false,
        ["verify"] = true,
        ["seed"] = turn,
        ["openLoopRatePerSecond"] = 200,
        ["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = false },
    };

    private JsonObject Open(int turn) => new()
    {
        ["op"] = "open",
        ["endpoint"] = endpoint,
        ["transport"] = "unary",
        ["headers"] = new JsonObject
        {
            ["request-id"] = string.Create(CultureInfo.InvariantCulture, $"soak-{turn}"),
            ["return-error"] = "unavailable",
            ["error-rpcs"] = "get set",
            ["error-count"] = "200",
            ["delay-rpcs"] = "get",
            ["delay-ms"] = "20",
            ["delay-count"] = "200",
        },
    };
}
