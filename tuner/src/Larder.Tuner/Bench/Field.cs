using Larder.Harness.Servers;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>Everything that runs for a sweep: the servers, and the contenders in their order of turns.</summary>
internal sealed class Field : IAsyncDisposable
{
    /// <summary>What <c>--store</c> takes for a Redis Cluster behind the server.</summary>
    public const string ClusterStore = "redis-cluster";

    private readonly List<Backend> _backends = [];
    private readonly List<Contender> _contenders = [];
    private Backend? _redis;
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

        foreach (Backend backend in _backends)
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
        Backend larder = options.IsFleet
            ? await FrontAsync().ConfigureAwait(false)
            : options.Server is { } endpoint ? Backend.Remote(endpoint, options.Console) : await Backend.LarderAsync().ConfigureAwait(false);
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

    private async Task AddPeerAsync(string peer, Backend larder)
    {
        if (Agents.NeedsRedis(peer) && _redis is null)
        {
            _redis = Backend.Redis();
            _backends.Add(_redis);
        }

        Backend backend = Agents.NeedsRedis(peer) ? _redis! : Agents.NeedsCluster(peer) ? Cluster(_fleet!) : larder;
        _contenders.Add(await Contender.OfPeerAsync(peer, backend).ConfigureAwait(false));
    }

    private async Task<Backend> FrontAsync()
    {
        Programs.RequireTree();
        _fleet = await FleetProcess.StartAsync().ConfigureAwait(false);
        FleetMember front = _fleet.Front;
        return new Backend(new Uri(front.Address).Authority, front.Id, front.Console) { StoreProcesses = [.. _fleet.Nodes.Select(node => node.Id)] };
    }

    /// <summary>The cluster itself: its endpoint is those of all masters, with commas between them.</summary>
    private static Backend Cluster(FleetProcess fleet) =>
        new(string.Join(',', fleet.Nodes.Select(node => node.Address)), null) { StoreProcesses = [.. fleet.Nodes.Select(node => node.Id)] };
}
