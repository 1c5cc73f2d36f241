using Larder.Harness.Servers;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>All processes of a sweep: the servers, and the contenders in the order of their turns.</summary>
internal sealed class Field : IAsyncDisposable
{
    /// <summary>The value of <c>--store</c> for a Redis Cluster behind the server.</summary>
    public const string ClusterStore = "redis-cluster";

    private readonly List<Backend> _backends = [];
    private readonly List<Contender> _contenders = [];
    private Backend? _redis;
    private FleetProcess? _fleet;
    private CertificateFiles? _files;

    private Field()
    {
    }

    /// <summary>Gets the clients and peers in the order of their turns.</summary>
    public IReadOnlyList<Contender> Contenders => _contenders;

    /// <summary>Gets the names of the peers in the result rows, as reported by their agents.</summary>
    public IReadOnlySet<string> PeerNames => _contenders.Where(contender => contender.IsPeer).Select(contender => contender.Client).ToHashSet();

    /// <summary>Gets the ids of the servers' processes on this machine.</summary>
    public IEnumerable<int> Processes => _backends.SelectMany(backend => (int?[])[backend.ProcessId, .. backend.StoreProcesses]).OfType<int>().Distinct();

    /// <summary>
    /// Starts all processes: the Larder server (unless the address of a running server is given), the servers that the peers need, and the agent of each
    /// contender.
    /// </summary>
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

    /// <summary>Stops the agents, then the servers.</summary>
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

        _files?.Dispose();
    }

    private async Task StartAllAsync(BenchOptions options)
    {
        _files = options.BesidePlaintext ? new CertificateFiles() : null;
        Backend larder = options.IsFleet
            ? await GatewayAsync().ConfigureAwait(false)
            : options.Server is { } endpoint ? Backend.Remote(endpoint, options.Console) : await Backend.LarderAsync().ConfigureAwait(false);
        _backends.Add(larder);
        Backend? secure = _files is null ? null : await Backend.LarderAsync(_files).ConfigureAwait(false);
        _backends.AddRange(secure is null ? [] : [secure]);
        Backend? older = options.Before is { } checkout ? await Backend.LarderAsync(_files, checkout.Server).ConfigureAwait(false) : null;
        _backends.AddRange(older is null ? [] : [older]);
        Backend? other = options.OtherServer is { } program ? await Backend.LarderAsync(_files, program).ConfigureAwait(false) : null;
        _backends.AddRange(other is null ? [] : [other]);
        foreach (string client in options.Clients)
        {
            foreach (string transport in options.Transports)
            {
                await AddClientAsync(client, transport, larder, secure).ConfigureAwait(false);
                if (older is not null)
                {
                    string suffix = $" {transport} before";
                    Task<Contender> start = Contender.OfVariantAsync(client, transport, older, suffix, isPeer: true, _files?.Certificate, options.Before);
                    _contenders.Add(await start.ConfigureAwait(false));
                }

                if (other is not null)
                {
                    string suffix = $" {transport} other server";
                    Task<Contender> start = Contender.OfVariantAsync(client, transport, other, suffix, isPeer: true, _files?.Certificate);
                    _contenders.Add(await start.ConfigureAwait(false));
                }
            }
        }

        foreach (string peer in options.Peers)
        {
            await AddPeerAsync(peer, secure ?? larder).ConfigureAwait(false);
        }
    }

    // If there is a server with TLS, adds the client twice: over TLS and in plaintext.
    private async Task AddClientAsync(string client, string transport, Backend larder, Backend? secure)
    {
        if (secure is null)
        {
            _contenders.Add(await Contender.OfClientAsync(client, transport, larder).ConfigureAwait(false));
            return;
        }

        _contenders.Add(await Contender.OfVariantAsync(client, transport, secure, " TLS", isPeer: false, _files!.Certificate).ConfigureAwait(false));
        _contenders.Add(await Contender.OfVariantAsync(client, transport, larder, $" {transport} plaintext", isPeer: true).ConfigureAwait(false));
    }

    private async Task AddPeerAsync(string peer, Backend larder)
    {
        if (Agents.NeedsRedis(peer) && _redis is null)
        {
            _redis = Backend.Redis(_files);
            _backends.Add(_redis);
        }

        Backend? own = Agents.OwnServer(peer) is { } server ? await Backend.OfPeerAsync(server).ConfigureAwait(false)
            : Agents.NeedsMemcached(peer) ? await Backend.MemcachedAsync().ConfigureAwait(false)
            : null;
        if (own is not null)
        {
            _backends.Add(own);
        }

        Backend backend = own ?? (Agents.NeedsRedis(peer) ? _redis! : Agents.NeedsCluster(peer) ? Cluster(_fleet!) : larder);
        _contenders.Add(await Contender.OfPeerAsync(peer, backend, authorityFile: _files?.Certificate).ConfigureAwait(false));
    }

    private async Task<Backend> GatewayAsync()
    {
        Programs.RequireTree();
        _fleet = await FleetProcess.StartAsync().ConfigureAwait(false);
        FleetMember gateway = _fleet.Gateway;
        return new Backend(new Uri(gateway.Address).Authority, gateway.Id, gateway.Console) { StoreProcesses = [.. _fleet.Nodes.Select(node => node.Id)] };
    }

    /// <summary>Returns a backend for direct calls to the cluster, without the gateway. Its endpoint is a comma-separated list of all masters.</summary>
    private static Backend Cluster(FleetProcess fleet) =>
        new(string.Join(',', fleet.Nodes.Select(node => node.Address)), null) { StoreProcesses = [.. fleet.Nodes.Select(node => node.Id)] };
}
