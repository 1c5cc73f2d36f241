using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Lab.Known;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;

namespace Larder.Lab.Adaptive;

/// <summary>
/// An agent whose client calls a server with a known service time and parallelism. The client is reopened for each concurrency limit. The process keeps
/// running, so that its code stays warm.
/// </summary>
internal sealed class CappedClient(AdaptiveOptions options, AnalyticServer server, AgentProcess agent)
{
    /// <summary>
    /// Measures a fixed limit, or the adaptive limit if <paramref name="cap"/> is null. The measurement starts after <paramref name="settle"/> seconds.
    /// </summary>
    public async Task<CapFigure> MeasureAsync(int? cap, double settle, double seconds)
    {
        await OpenAsync(cap).ConfigureAwait(false);
        JsonObject line = await agent.RequireAsync(Load(settle, seconds, progress: false)).ConfigureAwait(false);
        (int limit, bool _) = await ReadCapAsync().ConfigureAwait(false);
        await agent.RequireAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
        var round = Round.From(line);
        return new CapFigure(cap, round.RequestsPerSecond, Milliseconds(round, 0.5), Milliseconds(round, 0.999), round.Errors.Values.Sum(), limit);
    }

    /// <summary>Measures a limit while the server is slow for some seconds.</summary>
    public async Task<SlowdownResult> RunWithSlowdownAsync(int? cap)
    {
        (int Before, int Slow, int After) times = options.SlowSeconds;
        await OpenAsync(cap).ConfigureAwait(false);
        var calls = new List<long>();
        var stands = new List<Task<(int Limit, bool OutOfReach)>>();
        await agent
            .RequireAsync(Load(cap is null ? options.SettleSeconds : 1, times.Before + times.Slow + times.After, progress: true), OnProgress)
            .ConfigureAwait(false);
        (int Limit, bool OutOfReach)[] ends = await Task.WhenAll(stands).ConfigureAwait(false);
        await agent.RequireAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
        return new SlowdownResult(cap, [.. calls.Zip(ends, (count, end) => (count, end.Limit, end.OutOfReach))], times);

        void OnProgress(JsonObject progress)
        {
            int second = (int)progress["second"]!;
            server.Work.Slowness = second >= times.Before && second < times.Before + times.Slow ? options.Slowness : 1;
            if (second > 0)
            {
                calls.Add((long)progress["requests"]!);
                stands.Add(ReadCapAsync());
            }
        }
    }

    private Task<JsonObject> OpenAsync(int? cap)
    {
        var open = new JsonObject
        {
            ["op"] = "open",
            ["endpoint"] = server.Endpoint,
            ["transport"] = "unary",
            ["maxInFlight"] = cap ?? options.Callers,
            ["requestTimeoutMs"] = 30_000,
            ["wire"] = true,
        };
        if (cap is null)
        {
            open["adaptiveTargetMs"] = options.TargetMs;
        }

        return agent.RequireAsync(open);
    }

    private JsonObject Load(double settle, double seconds, bool progress) => new()
    {
        ["op"] = "load",
        ["callers"] = options.Callers,
        ["warmupSeconds"] = settle,
        ["seconds"] = seconds,
        ["progress"] = progress,
        ["wire"] = true,
        ["workload"] = new JsonObject { ["name"] = "reference", ["keys"] = 100 },
    };

    private async Task<(int Limit, bool OutOfReach)> ReadCapAsync()
    {
        JsonObject stats = await agent.RequireAsync(new JsonObject { ["op"] = "stats", ["collect"] = false }).ConfigureAwait(false);
        return ((int)stats["inFlightLimit"]!, (bool?)stats["targetOutOfReach"] ?? false);
    }

    private static double? Milliseconds(Round round, double quantile) => round.Wire is { } wire ? wire.QuantileUs(quantile) / 1000 : null;
}
