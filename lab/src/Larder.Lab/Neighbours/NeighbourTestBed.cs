using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>The processes of a measurement: a server, the measured client, and its neighbour. They run from the first round to the last.</summary>
internal sealed class NeighbourTestBed : IAsyncDisposable
{
    /// <summary>The number of callers of the open loop. At the rates of this measurement, a caller is always free.</summary>
    private const int Callers = 1000;

    /// <summary>The maximum number of repetitions of a disturbed round. On a machine that is never idle, more repetitions would not help.</summary>
    private const int MaxRepeats = 2;

    /// <summary>The time in seconds between the start of a neighbour and the measurement of the small calls.</summary>
    public const double WarmupSeconds = 0.3;

    private readonly Backend _server;
    private readonly AgentProcess _client;
    private readonly AgentProcess _neighbour;
    private readonly NeighbourOptions _options;
    private readonly HashSet<int> _own;
    private bool _isPreloaded;
    private int _seed;

    private NeighbourTestBed(Backend server, AgentProcess client, AgentProcess neighbour, NeighbourOptions options)
    {
        (_server, _client, _neighbour, _options) = (server, client, neighbour, options);
        _own = [Environment.ProcessId, client.Id, neighbour.Id, server.ProcessId!.Value];
    }

    /// <summary>Gets the measured client, which can also write and read large values.</summary>
    public AgentProcess Client => _client;

    public AgentProcess Neighbour => _neighbour;

    /// <summary>Starts the processes and opens both clients.</summary>
    /// <param name="options">The options of the run.</param>
    /// <param name="transport">The transport of the measured client.</param>
    /// <param name="neighbour">The neighbour's program.</param>
    /// <param name="token">The token of the measured client; null for none.</param>
    /// <param name="server">Additional arguments of the server.</param>
    public static async Task<NeighbourTestBed> StartAsync(
        NeighbourOptions options,
        string transport,
        ProgramCommand neighbour,
        string? token = null,
        params string[] server) =>
        await StartAsync(options, transport, neighbour, await Backend.LarderAsync(server).ConfigureAwait(false), token, null).ConfigureAwait(false);

    /// <summary>Starts the processes with TLS.</summary>
    public static async Task<NeighbourTestBed> StartAsync(NeighbourOptions options, string transport, ProgramCommand neighbour, CertificateFiles files) =>
        await StartAsync(options, transport, neighbour, await Backend.LarderAsync(files).ConfigureAwait(false), null, files.Certificate).ConfigureAwait(false);

    private static async Task<NeighbourTestBed> StartAsync(
        NeighbourOptions options, string transport, ProgramCommand neighbour, Backend started, string? token, string? authorityFile)
    {
        AgentProcess client = await AgentProcess.StartAsync(LabAgents.OfNeighbour("large-values")).ConfigureAwait(false);
        AgentProcess other = await AgentProcess.StartAsync(neighbour).ConfigureAwait(false);
        var stand = new NeighbourTestBed(started, client, other, options);
        JsonObject open = Open(started.Endpoint, transport);
        open["caFile"] = authorityFile;
        await other.RequireAsync(open.DeepClone().AsObject()).ConfigureAwait(false);
        open["token"] = token;
        await client.RequireAsync(open).ConfigureAwait(false);
        return stand;
    }

    /// <summary>Registers a further process of this measurement, so that its CPU usage does not count as that of other programs.</summary>
    public void Own(int process) => _own.Add(process);

    /// <summary>
    /// Measures the small calls of a client. Before the measurement, the request <paramref name="begin"/> starts the work of <paramref name="beside"/>, and
    /// afterwards <paramref name="end"/> stops it. If <paramref name="beside"/> is null, there is no neighbour. If other programs or the host used more CPU
    /// than the noise limit, the round is repeated, and the least disturbed round counts.
    /// </summary>
    public async Task<NeighbourRound> RunAsync(AgentProcess? beside, JsonObject? begin, string? end, double? measuredSeconds = null)
    {
        NeighbourRound round = await RunOnceAsync(beside, begin, end, measuredSeconds).ConfigureAwait(false);
        for (int repeat = 1; round.OthersCpu > _options.NoiseLimit && repeat <= MaxRepeats; repeat++)
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
            await beside.RequireAsync(begin!).ConfigureAwait(false);
        }

        (long At, CpuReading? Cpu) before = Take();
        JsonObject line = await _client.RequireAsync(Load(measuredSeconds ?? _options.Seconds)).ConfigureAwait(false);
        (long At, CpuReading? Cpu) after = Take();
        JsonObject? said = beside is null ? null : await beside.RequireAsync(new JsonObject { ["op"] = end }).ConfigureAwait(false);
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
