using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>Everything that runs for a sweep: the servers, and the contenders in their order of turns.</summary>
internal sealed class Field : IAsyncDisposable
{
    private readonly List<IBackend> _backends = [];
    private readonly List<Contender> _contenders = [];
    private RedisServer? _redis;
    private FleetProcess? _fleet;

    private Field()
    {
    }

    /// <summary>Clients and peers, in turn.</summary>
    public IReadOnlyList<Contender> Contenders => _contenders;

    /// <summary>The peers' names in rows, as their agents say them once they are opened.</summary>
    public IReadOnlySet<string> PeerNames => _contenders.Where(contender => contender.IsPeer).Select(contender => contender.Client).ToHashSet();

    /// <summary>The servers' processes, as far as they run here.</summary>
    public IEnumerable<int> Processes => _backends.SelectMany(backend => (int?[])[backend.ProcessId, .. backend.StoreProcesses]).OfType<int>().Distinct();

    /// <summary>Starts a server unless one is given, <c>redis-server</c> when its client is a peer, and each contender's agent.</summary>
    public static async Task<Field> StartAsync(BenchOptions options)
    {
        var field = new Field();
        try
        {
            await field.StartAllAsync(options).ConfigureAwait(false);
            return field;
        }
        catch
        {
            await field.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Ends the agents, then the servers.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (Contender contender in _contenders)
        {
            await contender.DisposeAsync().ConfigureAwait(false);
        }

        foreach (IBackend backend in _backends)
        {
            await backend.DisposeAsync().ConfigureAwait(false);
        }

        if (_fleet is { } fleet)
        {
            await fleet.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task StartAllAsync(BenchOptions options)
    {
        _fleet = options.IsFleet ? await FleetProcess.StartAsync().ConfigureAwait(false) : null;
        IBackend larder =
            _fleet?.Front
            ?? (options.Server is { } endpoint ? new RemoteServer(endpoint, options.Console) : await LarderServer.StartAsync().ConfigureAwait(false));
        _backends.Add(larder);
        foreach (string client in options.Clients)
        {
            foreach (string transport in options.Transports)
            {
                _contenders.Add(await Contender.OfClientAsync(client, transport, larder).ConfigureAwait(false));
            }
        }

        foreach (string peer in options.Peers)
        {
            await AddPeerAsync(peer, larder).ConfigureAwait(false);
        }
    }

    private async Task AddPeerAsync(string peer, IBackend larder)
    {
        var command = AgentCommand.OfPeer(peer);
        if (command.NeedsRedis && _redis is null)
        {
            _redis = await RedisServer.StartAsync().ConfigureAwait(false);
            _backends.Add(_redis);
        }

        IBackend backend = command.NeedsRedis ? _redis! : command.NeedsCluster ? _fleet!.Cluster : larder;
        _contenders.Add(await Contender.OfPeerAsync(peer, backend).ConfigureAwait(false));
    }
}
