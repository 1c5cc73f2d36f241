using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;

namespace Larder.Lab.Near;

/// <summary>A server, clients with near streams to this server, and a client that writes.</summary>
internal sealed class NearWritesLane : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> _running = [];
    private AgentProcess _audience = null!;
    private Contender _writer = null!;

    private NearWritesLane(int near) => Near = near;

    /// <summary>Gets the number of near streams to the server.</summary>
    public int Near { get; }

    /// <summary>Starts the processes with the given numbers of clients with and without a near stream.</summary>
    public static async Task<NearWritesLane> StartAsync(int near, int plain, string? program)
    {
        NearWritesLane lane = new(near);
        try
        {
            Backend server = await Backend.LarderAsync(files: null, program).ConfigureAwait(false);
            lane._running.Add(server);
            lane._writer = await Contender.OfClientAsync("dotnet", "pipeline", server).ConfigureAwait(false);
            lane._running.Add(lane._writer);
            lane._audience = await AgentProcess.StartAsync(LabAgents.OfAudience()).ConfigureAwait(false);
            lane._running.Add(lane._audience);
            await lane.AskAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint, ["near"] = near, ["plain"] = plain }).ConfigureAwait(false);
            return lane;
        }
        catch
        {
            await lane.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Runs one turn in which the writer has the given number of calls in flight. The other clients are idle, or read the same keys at the given rate.
    /// </summary>
    public async Task<NearWritesTurn> LoadAsync(NearWritesOptions options, int inFlight, double readsPerSecond, int seed)
    {
        if (readsPerSecond > 0)
        {
            await AskAsync(new JsonObject { ["op"] = "read", ["keys"] = options.Keys, ["readsPerSecond"] = readsPerSecond }).ConfigureAwait(false);
        }

        Rung rung = Rung.ParseAll($"{inFlight}", null)[0];
        BenchOptions bench = new() { Rungs = [rung], Seconds = options.Seconds, WarmupSeconds = options.WarmupSeconds };
        JsonObject load = bench.LoadRequest(rung, seed, preload: true);
        load["workload"]!["keys"] = options.Keys;
        load["workload"]!["readRatio"] = 0;
        Round round = await _writer.RunAsync(bench.OpenRequest("pipeline", rung), load, static _ => { }).ConfigureAwait(false);
        await AskAsync(new JsonObject { ["op"] = "rest" }).ConfigureAwait(false);
        return round.Errors.Count == 0
            ? new NearWritesTurn(round.RequestsPerSecond, round.ServerCpu / round.RequestsPerSecond * 1e6)
            : throw new TunerException($"writes failed: {string.Join(", ", round.Errors)}");
    }

    /// <summary>Runs one turn in which each key is written once, after every near stream has registered every key.</summary>
    public async Task<NearWritesTurn> OnceAsync(NearWritesOptions options, int inFlight)
    {
        await AskAsync(new JsonObject { ["op"] = "note", ["keys"] = options.NotedKeys }).ConfigureAwait(false);
        JsonObject write = new() { ["op"] = "write", ["keys"] = options.NotedKeys, ["inFlight"] = inFlight };
        JsonObject answer = await AskAsync(write).ConfigureAwait(false);
        return (int)answer["failed"]! == 0
            ? new NearWritesTurn(options.NotedKeys / (double)answer["seconds"]!, null)
            : throw new TunerException($"{answer["failed"]} writes failed");
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (IAsyncDisposable each in Enumerable.Reverse(_running))
        {
            await each.DisposeAsync().ConfigureAwait(false);
        }
    }

    private Task<JsonObject> AskAsync(JsonObject request) => _audience.RequireAsync(request);
}
