using Larder.Harness.Proxies;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune.Rounds;

namespace Larder.Lab.Story;

/// <summary>The processes of the experiments: a server, a delay proxy for each network, and the agents. Each process is started on first use.</summary>
internal sealed class StoryTestBed(string client, StallMeter meter, double warmingSeconds) : IAsyncDisposable
{
    private const int WarmingCallers = 50;

    private readonly Stack<IAsyncDisposable> _running = new();
    private readonly Dictionary<string, Contender> _contenders = [];
    private readonly Dictionary<NetworkDelay, Backend> _networks = [];
    private Backend? _server;

    /// <summary>Runs a load once, concurrently in all processes of the load, and returns their combined round.</summary>
    public async Task<Round> RunAsync(StoryLoad load, double seconds, double warmupSeconds, int seed)
    {
        var contenders = new List<Contender>();
        for (int process = 0; process < load.Processes; process++)
        {
            contenders.Add(await ContenderAsync(load, process).ConfigureAwait(false));
        }

        Round[] rounds = await Task
            .WhenAll(
                contenders.Select(
                    (contender, process) =>
                        contender.RunAsync(load.OpenRequest(), load.LoadRequest(seconds, warmupSeconds, seed + process), _ => { })))
            .ConfigureAwait(false);
        return rounds.Length == 1 ? rounds[0] : SideBySide(rounds);
    }

    /// <summary>Ends all processes in reverse order of their start. They are started again on the next use.</summary>
    public async ValueTask DisposeAsync()
    {
        while (_running.TryPop(out IAsyncDisposable? next))
        {
            await next.DisposeAsync().ConfigureAwait(false);
        }

        _contenders.Clear();
        _networks.Clear();
        _server = null;
    }

    /// <summary>
    /// Combines the rounds of concurrent processes: adds their calls and their CPU usage. In each round, the other agents were counted as other programs, so
    /// their CPU usage is subtracted.
    /// </summary>
    public static Round SideBySide(IReadOnlyList<Round> rounds) => PooledRound.Of(rounds) with
    {
        RequestsPerSecond = rounds.Sum(round => round.RequestsPerSecond),
        ClientCpu = rounds.Sum(round => round.ClientCpu),
        OthersCpu = rounds[0].OthersCpu is { } others ? Math.Max(0, others - rounds.Skip(1).Sum(round => round.ClientCpu)) : null,
        MeasuredSeconds = rounds.Max(round => round.MeasuredSeconds),
    };

    private async Task<Contender> ContenderAsync(StoryLoad load, int process)
    {
        if (_contenders.TryGetValue(load.AgentKey(process), out Contender? known))
        {
            return known;
        }

        Backend backend = await BackendAsync(load.Delay).ConfigureAwait(false);
        Contender contender = load.Peer is { } peer
            ? await Contender.OfPeerAsync(peer, backend, opensAsAsked: true).ConfigureAwait(false)
            : await Contender.OfClientAsync(client, load.Transport, backend, [.. load.Arguments]).ConfigureAwait(false);
        contender.Meter = meter;
        _running.Push(contender);
        StoryLoad warming = load with { Callers = Math.Min(WarmingCallers, load.Callers) };
        await contender.RunAsync(warming.OpenRequest(), warming.PreloadRequest(warmingSeconds), _ => { }).ConfigureAwait(false);
        return _contenders[load.AgentKey(process)] = contender;
    }

    private async Task<Backend> BackendAsync(NetworkDelay? delay)
    {
        if (_server is null)
        {
            _server = await Backend.LarderAsync().ConfigureAwait(false);
            _running.Push(_server);
        }

        if (delay is null)
        {
            return _server;
        }

        if (!_networks.TryGetValue(delay, out Backend? proxied))
        {
            _networks[delay] = proxied = _server.Behind(delay);
            _running.Push(proxied);
        }

        return proxied;
    }
}
