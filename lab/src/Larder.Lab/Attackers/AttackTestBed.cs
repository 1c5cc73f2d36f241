using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Client;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Lab.Neighbours;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Attackers;

/// <summary>
/// The processes of a measurement: a server with a memory limit, the neighbour's two clients, a tenant that checks the server, well-behaved clients and
/// attackers.
/// </summary>
internal sealed class AttackTestBed : IAsyncDisposable
{
    /// <summary>The quota of the attacker's cache. Without a quota, any tenant could evict the items of all others.</summary>
    public const int QuotaBytes = 100 << 20;

    private const int Callers = 1_000;

    // The maximum number of repetitions of a measurement that other programs disturbed. On a machine that is never idle, more repetitions would not help.
    private const int MaxRepeats = 2;

    // If the server uses fewer processors than this, it has finished the work that remained from an attack.
    private const double Settled = 0.1;

    private static readonly TimeSpan s_settling = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(250);

    private readonly AttackersOptions _options;
    private readonly AttackInfo _attack;
    private readonly MemoryGroup _group = new();
    private readonly TenantTokens _tokens = new();
    private readonly CertificateFiles? _serverFiles;
    private readonly ClientCertificateFiles? _clientFiles;
    private readonly List<AgentProcess> _agents = [];
    private ServerProcess? _server;
    private int _seed;

    private AttackTestBed(AttackersOptions options, AttackInfo attack)
    {
        (_options, _attack) = (options, attack);
        _serverFiles = attack.IsTls ? new CertificateFiles() : null;
        _clientFiles = attack.HasClientCertificates ? new ClientCertificateFiles() : null;
    }

    /// <summary>Gets the transports of the neighbour's clients.</summary>
    public static IReadOnlyList<string> Transports { get; } = ["pipeline", "unary"];

    /// <summary>Gets the reason why the server has no memory limit; null if it has one.</summary>
    public string? Obstacle => _group.Obstacle;

    /// <summary>Gets the server's peak resident memory, in bytes.</summary>
    public long? PeakBytes => MemoryGroup.PeakOf(Server.Id);

    /// <summary>Gets whether the server is running.</summary>
    public bool IsAlive => !Server.HasExited;

    private ServerProcess Server => _server ?? throw new InvalidOperationException("The server has not been started.");

    private AgentProcess Tenant => _agents[Transports.Count];

    // One client per transport, because a single client cannot use as much CPU as an attack does.
    private IReadOnlyList<AgentProcess> Companions => [.. _agents.Skip(Transports.Count + 1).Take(Transports.Count)];

    private AgentProcess Attacker => _agents[^1];

    /// <summary>Starts all processes and stores the items that the attack needs.</summary>
    public static async Task<AttackTestBed> StartAsync(AttackersOptions options, AttackInfo attack)
    {
        var stand = new AttackTestBed(options, attack);
        try
        {
            await stand.StartAsync().ConfigureAwait(false);
            return stand;
        }
        catch
        {
            await stand.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Measures the neighbour during the attack.</summary>
    public Task<AttackLaneRound> MeasureDuringAttackAsync() =>
        RunAsync(
            [Attacker],
            () => Attacker.RequireAsync(new JsonObject { ["op"] = "attackBegin", ["attack"] = _attack.Name }),
            () => Attacker.RequireAsync(new JsonObject { ["op"] = "attackEnd" }));

    /// <summary>Measures the neighbour next to well-behaved clients instead of the attackers.</summary>
    /// <param name="rate">The calls per second of the well-behaved clients.</param>
    public Task<AttackLaneRound> MeasureWithCompanionsAsync(double rate)
    {
        Task<JsonObject[]>? loads = null;
        Task BeginAsync()
        {
            loads = Task.WhenAll(Companions.Select(companion => companion.RequireAsync(Load(rate / Companions.Count, _options.Seconds))));
            return Task.CompletedTask;
        }

        async Task<JsonObject> EndAsync()
        {
            await loads!.ConfigureAwait(false);
            return [];
        }

        return RunAsync(Companions, BeginAsync, EndAsync);
    }

    /// <summary>Returns the exit code of a server that has ended.</summary>
    public Task<int> ExitCodeAsync() => Server.WaitForExitAsync();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (AgentProcess agent in Enumerable.Reverse(_agents))
        {
            await agent.DisposeAsync().ConfigureAwait(false);
        }

        if (_server is not null)
        {
            await _server.DisposeAsync().ConfigureAwait(false);
        }

        _group.Dispose();
        _tokens.Dispose();
        _serverFiles?.Dispose();
        _clientFiles?.Dispose();
    }

    private async Task StartAsync()
    {
        string[] tls = _serverFiles is { } files ? ["--tls-cert", files.Certificate, "--tls-key", files.Key] : [];
        string[] clients = _clientFiles is { } client ? ["--client-ca", client.Authority] : [];
        string[] tokens = ["--tokens", _tokens.File, "--token-key", _tokens.KeyFile];
        ServerProcessOptions server = Programs.Larder([.. tokens, "--max-connections", "300", .. tls, .. clients]);
        _server = await ServerProcess.StartAsync(server with { Memory = "256m", Runner = _group.Runner }).ConfigureAwait(false);
        foreach (string transport in Transports)
        {
            await AddAsync(LabAgents.OfNeighbour("large-values"), "neighbour", new() { ["transport"] = transport, ["maxRetries"] = 0 }).ConfigureAwait(false);
        }

        await PreloadAsync().ConfigureAwait(false);
        await AddAsync(LabAgents.OfNeighbour("tenant"), "tenant", new()
        {
            ["console"] = Server.Console.Authority,
            ["reader"] = _tokens["tenant-reader"],
            ["operator"] = _tokens["operator"],
        }).ConfigureAwait(false);
        JsonObject create = new() { ["op"] = "createCache", ["cache"] = "attacked", ["maxBytes"] = QuotaBytes };
        await Tenant.RequireAsync(create).ConfigureAwait(false);
        foreach (string transport in Transports)
        {
            JsonObject load = new() { ["transport"] = transport };
            await AddAsync(_options.StandingBack(LabAgents.OfNeighbour("large-values")), "companion", load).ConfigureAwait(false);
        }

        JsonObject attack = new() { ["console"] = Server.Console.Authority, ["reader"] = _tokens["attacker-reader"] };
        await AddAsync(_options.StandingBack(LabAgents.OfNeighbour("attacker")), "attacker", attack).ConfigureAwait(false);
        await Attacker.RequireAsync(new JsonObject { ["op"] = "attackPrepare", ["attack"] = _attack.Name }).ConfigureAwait(false);
    }

    private async Task AddAsync(ProgramCommand program, string token, JsonObject open)
    {
        AgentProcess agent = await AgentProcess.StartAsync(program).ConfigureAwait(false);
        _agents.Add(agent);
        open["op"] = "open";
        open["endpoint"] = Server.Endpoint.Authority;
        open["token"] = _tokens[token];
        open["configuration"] = "laptop";
        open["caFile"] = _serverFiles?.Certificate;
        open["certificateFile"] = _clientFiles?.Certificate;
        open["keyFile"] = _clientFiles?.Key;
        await agent.RequireAsync(open).ConfigureAwait(false);
    }

    // Stores the neighbour's items and warms up its clients before the attack.
    private async Task PreloadAsync()
    {
        const double Seconds = 0.5;
        for (int number = 0; number < Transports.Count; number++)
        {
            await _agents[number].RequireAsync(Load(_options.RatePerSecond, Seconds, preload: number == 0)).ConfigureAwait(false);
        }
    }

    // Repeats a measurement in which other programs or the host used more CPU than the noise limit. Returns the least disturbed result.
    private async Task<AttackLaneRound> RunAsync(IReadOnlyList<AgentProcess> beside, Func<Task> begin, Func<Task<JsonObject>> end)
    {
        AttackLaneRound round = await RunOnceAsync(beside, begin, end).ConfigureAwait(false);
        for (int repeat = 1; round.OthersCpu > _options.NoiseLimit && repeat <= MaxRepeats && IsAlive; repeat++)
        {
            AttackLaneRound again = await RunOnceAsync(beside, begin, end).ConfigureAwait(false);
            round = again.OthersCpu < round.OthersCpu ? again : round;
        }

        return round;
    }

    private async Task<AttackLaneRound> RunOnceAsync(IReadOnlyList<AgentProcess> beside, Func<Task> begin, Func<Task<JsonObject>> end)
    {
        await Tenant.RequireAsync(new JsonObject { ["op"] = "checkBegin" }).ConfigureAwait(false);
        await begin().ConfigureAwait(false);
        (long At, CpuReading? Cpu) before = Take();
        JsonObject[] lines = await Task.WhenAll(
            Transports.Select((_, number) => _agents[number].RequireAsync(Load(_options.RatePerSecond, _options.Seconds)))).ConfigureAwait(false);
        (long At, CpuReading? Cpu) after = Take();
        JsonObject said = await end().ConfigureAwait(false);
        JsonObject checks = await Tenant.RequireAsync(new JsonObject { ["op"] = "checkEnd" }).ConfigureAwait(false);
        double seconds = Stopwatch.GetElapsedTime(before.At, after.At).TotalSeconds;
        double? Processors(int process) => before.Cpu is null ? null : after.Cpu?.Since(before.Cpu, process) / seconds;
        double? others = before.Cpu is null ? null : after.Cpu?.OthersSince(before.Cpu) / seconds;
        (double? server, double? second) = (Processors(Server.Id), beside.Sum(each => Processors(each.Id)));
        await SettleAsync().ConfigureAwait(false);
        return new AttackLaneRound(
            [.. lines.Select((line, number) => new NeighbourRound(Round.From(line), Processors(_agents[number].Id), server, second, others, said))],
            // If a process has ended, its last CPU reading is 0 and its CPU usage is negative. The total CPU usage is then unknown.
            server is >= 0 && second is >= 0 ? server + second : null,
            others,
            (long)checks["checks"]!,
            (long)checks["evicted"]!,
            checks["failures"]!.AsObject().ToDictionary(failure => failure.Key, failure => (long)failure.Value!),
            said);
    }

    // Waits until the server has finished the work that remains from an attack. This work must not affect the next measurement.
    private async Task SettleAsync()
    {
        for (long begun = Stopwatch.GetTimestamp(); IsAlive && Stopwatch.GetElapsedTime(begun) < s_settling;)
        {
            (long At, CpuReading? Cpu) before = Take();
            await Task.Delay(s_between).ConfigureAwait(false);
            (long At, CpuReading? Cpu) after = Take();
            double seconds = Stopwatch.GetElapsedTime(before.At, after.At).TotalSeconds;
            if (before.Cpu is null || after.Cpu!.Since(before.Cpu, Server.Id) / seconds < Settled)
            {
                return;
            }
        }
    }

    private (long At, CpuReading? Cpu) Take() =>
        (Stopwatch.GetTimestamp(), CpuReading.Take([Environment.ProcessId, Server.Id, .. _agents.Select(agent => agent.Id)]));

    private JsonObject Load(double rate, double seconds, bool preload = false) => new()
    {
        ["op"] = "load",
        ["callers"] = Callers,
        ["seconds"] = seconds,
        ["warmupSeconds"] = NeighbourTestBed.WarmupSeconds,
        ["seed"] = ++_seed,
        ["progress"] = false,
        ["verify"] = true,
        ["openLoopRatePerSecond"] = rate,
        ["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = preload },
    };
}
