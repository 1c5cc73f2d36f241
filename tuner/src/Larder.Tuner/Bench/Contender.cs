using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>One client under measure: its agent's process, the transport it is opened with, and the server it is driven against.</summary>
internal sealed class Contender : IAsyncDisposable
{
    private readonly AgentProcess _agent;
    private readonly IBackend _backend;
    private readonly BenchOptions _options;
    private readonly bool _isPeer;

    private Contender(AgentProcess agent, IBackend backend, BenchOptions options, string client, string transport, bool isPeer)
    {
        (_agent, _backend, _options, Client, Transport, _isPeer) = (agent, backend, options, client, transport, isPeer);
    }

    /// <summary>Its name in rows, as its agent says it.</summary>
    public string Client { get; private set; }

    /// <summary>The transport in effect, as its agent says it.</summary>
    public string Transport { get; private set; }

    /// <summary>Whether it is what others are compared with.</summary>
    public bool IsPeer => _isPeer;

    /// <summary>Starts the agent of one of our clients.</summary>
    public static async Task<Contender> OfClientAsync(string client, string transport, IBackend backend, BenchOptions options) =>
        new(await AgentProcess.StartAsync(client, AgentCommand.OfClient(client)).ConfigureAwait(false), backend, options, client, transport, isPeer: false);

    /// <summary>Starts the agent of a peer.</summary>
    public static async Task<Contender> OfPeerAsync(string peer, IBackend backend, BenchOptions options) =>
        new(await AgentProcess.StartAsync(peer, AgentCommand.OfPeer(peer)).ConfigureAwait(false), backend, options, peer, "", isPeer: true);

    /// <summary>Opens the client, loads it for one round, closes it.</summary>
    public async Task<Round> RunAsync(Rung rung, int seed, bool preload, Action<JsonObject> onProgress)
    {
        await OpenAsync(rung).ConfigureAwait(false);
        Reading? begun = null;
        var line = await _agent.DemandAsync(_options.LoadRequest(rung, seed, preload), progress =>
        {
            begun ??= Read();
            onProgress(progress);
        }).ConfigureAwait(false);
        var round = await FinishAsync(Round.From(line), begun).ConfigureAwait(false);
        await _agent.DemandAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
        return round;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _agent.DisposeAsync();

    private async Task OpenAsync(Rung rung)
    {
        var request = _isPeer
            ? new JsonObject { ["op"] = "open", ["endpoint"] = _backend.Endpoint }
            : _options.OpenRequest(_backend.Endpoint, Transport, rung);
        var answer = await _agent.DemandAsync(request).ConfigureAwait(false);
        Client = (string)answer["client"]!;
        Transport = (string?)answer["transport"] ?? Transport;
    }

    /// <summary>Adds what the machine and the server say about the measured time.</summary>
    private async Task<Round> FinishAsync(Round round, Reading? begun)
    {
        if (begun is null)
        {
            return round;
        }

        var ended = Read();
        var seconds = Stopwatch.GetElapsedTime(begun.At, ended.At).TotalSeconds;
        var (before, now) = (await begun.Stats.ConfigureAwait(false), await ended.Stats.ConfigureAwait(false));
        var statsCpu = before is null || now is null ? null : now.CpuSeconds - before.CpuSeconds as double?;
        var serverCpu = begun.Cpu is null || ended.Cpu is null ? null : ended.Cpu.Since(begun.Cpu, _backend.ProcessId);
        return round with
        {
            ServerCpu = (serverCpu ?? statsCpu) / seconds,
            Server = before is null ? null : now?.Since(before),
            Connections = now?.Connections ?? round.Connections,
            OthersCpu = begun.Cpu is null ? null : ended.Cpu?.OthersSince(begun.Cpu) / seconds,
        };
    }

    private Reading Read()
    {
        int[] own = _backend.ProcessId is { } server ? [Environment.ProcessId, _agent.Id, server] : [Environment.ProcessId, _agent.Id];
        return new Reading(Stopwatch.GetTimestamp(), CpuReading.Take(own), _backend.StatsAsync());
    }

    private sealed record Reading(long At, CpuReading? Cpu, Task<ServerStats?> Stats);
}
