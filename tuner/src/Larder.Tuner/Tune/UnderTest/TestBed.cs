using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tune.UnderTest;

/// <summary>All processes of a tuning: the servers and the agents. If a delay is configured, there is also a proxy in front of each server.</summary>
internal sealed class TestBed : IAsyncDisposable
{
    private readonly TuneOptions _options;
    private readonly Stack<IAsyncDisposable> _running = new();
    private readonly List<ClientUnderTest> _clients = [];
    private readonly Dictionary<string, Contender> _contenders = [];
    private readonly StallMeter _meter;
    private Backend? _larder;
    private Backend? _redis;

    private TestBed(TuneOptions options, StallMeter meter) => (_options, _meter) = (options, meter);

    /// <summary>Gets the clients under test: first the Larder client once for each number of channels, then the peers.</summary>
    public IReadOnlyList<ClientUnderTest> Clients => _clients;

    /// <summary>Starts the processes for the options. <paramref name="meter"/> observes the machine during each measurement.</summary>
    public static async Task<TestBed> StartAsync(TuneOptions options, StallMeter meter)
    {
        var bed = new TestBed(options, meter);
        try
        {
            foreach (int? channels in options.Channels)
            {
                bed._clients.Add(await bed.ClientAsync(new ClientVariant(options.Client, options.Transport, channels)).ConfigureAwait(false));
            }

            foreach (string peer in options.Peers)
            {
                bed._clients.Add(await bed.ClientAsync(new ClientVariant(peer, "")).ConfigureAwait(false));
            }

            return bed;
        }
        catch
        {
            await bed.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Returns a client under test. Clients with different agent arguments use separate agents.</summary>
    public async Task<ClientUnderTest> ClientAsync(ClientVariant name, params string[] arguments)
    {
        string key = string.Join(' ', [name.Client, .. arguments]);
        if (!_contenders.TryGetValue(key, out Contender? contender))
        {
            contender = name.IsPeer
                ? await Contender.OfPeerAsync(name.Client, await BackendOfPeerAsync(name.Client).ConfigureAwait(false)).ConfigureAwait(false)
                : await Contender.OfClientAsync(name.Client, name.Transport, await LarderAsync().ConfigureAwait(false), arguments).ConfigureAwait(false);
            contender.Meter = _meter;
            _contenders[key] = contender;
            _running.Push(contender);
        }

        return new ClientUnderTest(name, contender, _options);
    }

    /// <summary>Stops the agents, proxies and servers in reverse order of their start.</summary>
    public async ValueTask DisposeAsync()
    {
        while (_running.TryPop(out IAsyncDisposable? next))
        {
            await next.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<Backend> LarderAsync() =>
        _larder ??= Between(
            _options.Server is { } endpoint ? Backend.Remote(endpoint, _options.Console) : await Backend.LarderAsync().ConfigureAwait(false));

    private async Task<Backend> BackendOfPeerAsync(string peer) =>
        Agents.OwnServer(peer) is { } server ? Between(await Backend.OfPeerAsync(server).ConfigureAwait(false))
        : Agents.NeedsMemcached(peer) ? Between(await Backend.MemcachedAsync().ConfigureAwait(false))
        : Agents.NeedsRedis(peer) ? _redis ??= Between(Backend.Redis())
        : await LarderAsync().ConfigureAwait(false);

    private Backend Between(Backend server)
    {
        _running.Push(server);
        if (_options.Delay is not { } delay)
        {
            return server;
        }

        Backend proxied = server.Behind(delay);
        _running.Push(proxied);
        return proxied;
    }
}
