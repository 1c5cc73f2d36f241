using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>A server, the measured client and its neighbour, each a process of its own, from the first round to the last.</summary>
internal sealed class NeighbourStand : IAsyncDisposable
{
    /// <summary>Callers of the open loop: at the rates measured here, so many that one is always free.</summary>
    private const int Callers = 1000;

    /// <summary>Times that a round disturbed by other programs is run anew: on a machine that is never quiet more would not help.</summary>
    private const int MostRepeats = 2;

    /// <summary>Time in which a neighbour's beginning settles before the small calls count.</summary>
    public const double WarmupSeconds = 0.3;

    private readonly Backend _server;
    private readonly AgentProcess _client;
    private readonly AgentProcess _neighbour;
    private readonly NeighbourOptions _options;
    private readonly HashSet<int> _own;
    private bool _isPreloaded;
    private int _seed;

    private NeighbourStand(Backend server, AgentProcess client, AgentProcess neighbour, NeighbourOptions options)
    {
        (_server, _client, _neighbour, _options) = (server, client, neighbour, options);
        _own = [Environment.ProcessId, client.Id, neighbour.Id, server.ProcessId!.Value];
    }

    /// <summary>The measured client, with large values of its own on request.</summary>
    public AgentProcess Client => _client;

    /// <summary>The other process.</summary>
    public AgentProcess Neighbour => _neighbour;

    /// <summary>Starts them and opens both clients.</summary>
    /// <param name="options">What was asked for.</param>
    /// <param name="transport">The measured client's.</param>
    /// <param name="neighbour">The other process.</param>
    /// <param name="token">What the measured client shows; null: nothing.</param>
    /// <param name="server">More of the server's arguments.</param>
    public static async Task<NeighbourStand> StartAsync(
        NeighbourOptions options,
        string transport,
        ProgramCommand neighbour,
        string? token = null,
        params string[] server) =>
        await StartAsync(options, transport, neighbour, await Backend.LarderAsync(server).ConfigureAwait(false), token, null).ConfigureAwait(false);

    /// <summary>The same over TLS.</summary>
    public static async Task<NeighbourStand> StartAsync(NeighbourOptions options, string transport, ProgramCommand neighbour, CertificateFiles files) =>
        await StartAsync(options, transport, neighbour, await Backend.LarderAsync(files).ConfigureAwait(false), null, files.Certificate).ConfigureAwait(false);

    private static async Task<NeighbourStand> StartAsync(
        NeighbourOptions options, string transport, ProgramCommand neighbour, Backend started, string? token, string? authorityFile)
    {
        AgentProcess client = await AgentProcess.StartAsync(LabAgents.OfNeighbour("large-values")).ConfigureAwait(false);
        AgentProcess other = await AgentProcess.StartAsync(neighbour).ConfigureAwait(false);
        var stand = new NeighbourStand(started, client, other, options);
        JsonObject open = Open(started.Endpoint, transport);
        open["caFile"] = authorityFile;
        await other.DemandAsync(open.DeepClone().AsObject()).ConfigureAwait(false);
        open["token"] = token;
        await client.DemandAsync(open).ConfigureAwait(false);
        return stand;
    }

    /// <summary>Names a further process that is none of the other programs.</summary>
    public void Own(int process) => _own.Add(process);

    /// <summary>
    /// Small calls while <paramref name="beside"/> has begun what <paramref name="begin"/> and <paramref name="end"/> name; null for nobody. A round in
    /// which other programs, or the host, took more of the machine than the noise limit is run anew, and the least disturbed counts.
    /// </summary>
    public async Task<NeighbourRound> RunAsync(AgentProcess? beside, JsonObject? begin, string? end, double? measuredSeconds = null)
    {
        NeighbourRound round = await RunOnceAsync(beside, begin, end, measuredSeconds).ConfigureAwait(false);
        for (int repeat = 1; round.OthersCpu > _options.NoiseLimit && repeat <= MostRepeats; repeat++)
        {
            NeighbourRound again = await RunOnceAsync(beside, begin?.DeepClone().AsObject(), end, measuredSeconds).ConfigureAwait(false);
            round = (again.OthersCpu < round.OthersCpu ? again : round) with { Repeats = repeat };
        }

        return round;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _neighbour.DisposeAsync().ConfigureAwait(false);
        await _client.DisposeAsync().ConfigureAwait(false);
        await _server.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<NeighbourRound> RunOnceAsync(AgentProcess? beside, JsonObject? begin, string? end, double? measuredSeconds)
    {
        if (beside is not null)
        {
            await beside.DemandAsync(begin!).ConfigureAwait(false);
        }

        (long At, CpuReading? Cpu) before = Take();
        JsonObject line = await _client.DemandAsync(Load(measuredSeconds ?? _options.Seconds)).ConfigureAwait(false);
        (long At, CpuReading? Cpu) after = Take();
        JsonObject? said = beside is null ? null : await beside.DemandAsync(new JsonObject { ["op"] = end }).ConfigureAwait(false);
        double seconds = Stopwatch.GetElapsedTime(before.At, after.At).TotalSeconds;
        double? Processors(int pid) => before.Cpu is null ? null : after.Cpu?.Since(before.Cpu, pid) / seconds;
        return new NeighbourRound(
            Round.From(line),
            Processors(_client.Id),
            Processors(_server.ProcessId!.Value),
            Processors(_neighbour.Id),
            before.Cpu is null ? null : after.Cpu?.OthersSince(before.Cpu) / seconds,
            said);
    }

    private static JsonObject Open(string endpoint, string transport) =>
        new() { ["op"] = "open", ["endpoint"] = endpoint, ["transport"] = transport, ["configuration"] = "laptop" };

    private (long At, CpuReading? Cpu) Take() => (Stopwatch.GetTimestamp(), CpuReading.Take(_own));

    private JsonObject Load(double seconds)
    {
        bool preload = !_isPreloaded;
        _isPreloaded = true;
        return new()
        {
            ["op"] = "load",
            ["callers"] = Callers,
            ["seconds"] = seconds,
            ["warmupSeconds"] = WarmupSeconds,
            ["seed"] = ++_seed,
            ["progress"] = false,
            ["verify"] = true,
            ["openLoopRatePerSecond"] = _options.RatePerSecond,
            ["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = preload },
        };
    }
}
