using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>One measured client: its agent process, its transport, and the server that it calls.</summary>
internal sealed class Contender : IAsyncDisposable
{
    private readonly AgentProcess _agent;
    private readonly Backend _backend;
    private readonly bool _isPeer;

    private Contender(AgentProcess agent, Backend backend, string client, string transport, bool isPeer)
    {
        (_agent, _backend, Client, Transport, _isPeer) = (agent, backend, client, transport, isPeer);
    }

    /// <summary>Gets the name in the result rows, as reported by the agent.</summary>
    public string Client { get; private set; }

    /// <summary>Gets the transport in effect, as reported by the agent.</summary>
    public string Transport { get; private set; }

    /// <summary>Gets whether this contender is a peer. The results of the other contenders are compared with the results of the peer.</summary>
    public bool IsPeer => _isPeer;

    /// <summary>Gets whether a peer is opened with all fields of the open request. By default, a peer is opened with only the address of the server.</summary>
    public bool TakesOptions { get; init; }

    /// <summary>Gets the file of the CA certificate with which the client verifies its server, or null for plaintext.</summary>
    public string? AuthorityFile { get; init; }

    /// <summary>Gets a suffix for the agent's name in the result rows.</summary>
    public string Suffix { get; init; } = "";

    /// <summary>Gets the agent's response to the last open request: version, runtime, effective settings. Null before the first open request.</summary>
    public JsonObject? Opened { get; private set; }

    /// <summary>Gets or sets the meter that measures stalls of the machine during a round, or null.</summary>
    public StallMeter? Meter { get; set; }

    /// <summary>Starts the agent of a Larder client, with additional arguments.</summary>
    public static async Task<Contender> OfClientAsync(string client, string transport, Backend backend, params string[] more)
    {
        ProgramCommand command = Agents.OfClient(client);
        return await OfCommandAsync(client, transport, backend, command with { Arguments = [.. command.Arguments, .. more] }).ConfigureAwait(false);
    }

    /// <summary>
    /// Starts an agent by its command. The agent may be a client of another checkout. With <paramref name="isPeer"/>, the client is opened as a peer.
    /// </summary>
    public static async Task<Contender> OfCommandAsync(string name, string transport, Backend backend, ProgramCommand command, bool isPeer = false) =>
        new(await AgentProcess.StartAsync(command).ConfigureAwait(false), backend, name, transport, isPeer);

    /// <summary>Starts the agent of a peer.</summary>
    public static async Task<Contender> OfPeerAsync(string peer, Backend backend, bool opensAsAsked = false, string? authorityFile = null) =>
        new(await AgentProcess.StartAsync(Agents.OfPeer(peer)).ConfigureAwait(false), backend, peer, "", isPeer: true)
        {
            TakesOptions = opensAsAsked,
            AuthorityFile = authorityFile,
        };

    /// <summary>
    /// Starts the agent of one variant of a Larder client. Variants differ, for example, in TLS or in the checkout of the agent, and are compared with each
    /// other. The variant with <paramref name="isPeer"/> is the one with which the others are compared.
    /// </summary>
    public static async Task<Contender> OfVariantAsync(
        string client, string transport, Backend backend, string suffix, bool isPeer, string? authorityFile = null, OtherCheckout? checkout = null)
    {
        ProgramCommand command = Agents.OfClient(client);
        command = checkout is null ? command : command.In(checkout.Root);
        return new(await AgentProcess.StartAsync(command).ConfigureAwait(false), backend, client, transport, isPeer)
        {
            TakesOptions = true,
            AuthorityFile = authorityFile,
            Suffix = suffix,
        };
    }

    /// <summary>
    /// Opens the client, loads it for one round and closes it. A peer is opened with only its server's address unless <see cref="TakesOptions"/> is set. If
    /// <paramref name="watchCap"/> is true, the concurrency limit is sampled each second and at the end.
    /// </summary>
    public async Task<Round> RunAsync(JsonObject open, JsonObject load, Action<JsonObject> onProgress, bool watchCap = false)
    {
        var caps = new List<Task<JsonObject>>();
        await OpenAsync(_isPeer && !TakesOptions ? new JsonObject { ["op"] = "open" } : open).ConfigureAwait(false);
        Reading? begun = null;
        long start = long.MaxValue;
        JsonObject line = await _agent.RequireAsync(load, progress =>
        {
            // A progress line arrives a whole number of seconds after the start of the measured time, or slightly later. The earliest start that is computed
            // from a line is therefore the most accurate.
            start = Math.Min(start, Stopwatch.GetTimestamp() - ((long)progress["second"]! * Stopwatch.Frequency));
            begun ??= Read();
            onProgress(progress);
            if (watchCap)
            {
                caps.Add(StatsAsync());
            }
        }).ConfigureAwait(false);
        Round round = await FinishAsync(Round.From(line), begun, start).ConfigureAwait(false);
        if (watchCap)
        {
            caps.Add(StatsAsync());
            round = WithCaps(round, await Task.WhenAll(caps).ConfigureAwait(false));
        }

        await _agent.RequireAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
        return round;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _agent.DisposeAsync();

    private Task<JsonObject> StatsAsync() => _agent.RequireAsync(new JsonObject { ["op"] = "stats", ["collect"] = false });

    private static Round WithCaps(Round round, JsonObject[] stats) => round with
    {
        Caps = [.. stats.Select(one => one["inFlightLimit"]).Where(limit => limit?.GetValueKind() == JsonValueKind.Number).Select(limit => (int)limit!)],
        SaidUnreachable = stats.Any(one => (bool?)one["targetOutOfReach"] == true),
    };

    private async Task OpenAsync(JsonObject request)
    {
        request["endpoint"] = _backend.Endpoint;
        if (AuthorityFile is not null)
        {
            (request["tls"], request["caFile"]) = (true, AuthorityFile);
        }

        Opened = await _agent.RequireAsync(request).ConfigureAwait(false);
        Client = (string)Opened["client"]! + Suffix;
        Transport = (string?)Opened["transport"] ?? Transport;
    }

    /// <summary>Adds the measurements of the machine and of the server during the measured time.</summary>
    private async Task<Round> FinishAsync(Round round, Reading? begun, long start)
    {
        if (begun is null)
        {
            return round;
        }

        Reading ended = Read();
        double seconds = Stopwatch.GetElapsedTime(begun.At, ended.At).TotalSeconds;
        (ServerStats? before, ServerStats? now) = (await begun.Stats.ConfigureAwait(false), await ended.Stats.ConfigureAwait(false));
        double? statsCpu = before is null || now is null ? null : now.CpuSeconds - before.CpuSeconds as double?;
        double? serverCpu = (begun.Cpu is null ? null : ended.Cpu?.Since(begun.Cpu, _backend.ProcessId)) ?? statsCpu;
        double? storeCpu = _backend.StoreProcesses.Count == 0 || begun.Cpu is null
            ? null
            : _backend.StoreProcesses.Sum(pid => ended.Cpu?.Since(begun.Cpu, pid));
        return round with
        {
            ServerCpu = (storeCpu is null ? serverCpu : storeCpu + (serverCpu ?? 0)) / seconds,
            StoreCpu = storeCpu / seconds,
            StoreResidentBytes = storeCpu is null ? null : _backend.StoreProcesses.Sum(ProcStat.ResidentBytes),
            ServerResidentBytes = now?.ResidentBytes,
            ServerBytesPerSecond = (now?.AllocatedBytes - before?.AllocatedBytes) / seconds,
            OwnCpu = begun.Cpu is null ? null : ended.Cpu?.Since(begun.Cpu, Environment.ProcessId) / seconds,
            Server = before is null ? null : now?.Since(before),
            Connections = now?.Connections ?? round.Connections,
            OthersCpu = begun.Cpu is null ? null : ended.Cpu?.OthersSince(begun.Cpu) / seconds,
            Stalls = begun.Stalls is null ? null : ended.Stalls?.Since(begun.Stalls),
            StallPeriods = Meter?.Between(start, ended.At) ?? [],
        };
    }

    private Reading Read()
    {
        IEnumerable<int> own = [Environment.ProcessId, _agent.Id, _backend.ProcessId ?? _agent.Id, .. _backend.StoreProcesses];
        return new Reading(Stopwatch.GetTimestamp(), CpuReading.Take(own), Meter?.Read(), _backend.StatsAsync());
    }

    private sealed record Reading(long At, CpuReading? Cpu, StallReading? Stalls, Task<ServerStats?> Stats);
}
