using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tune;

/// <summary>Everything that runs for a tuning: the servers, a proxy before each where a delay is wanted, and the agents.</summary>
internal sealed class TuneStand : IAsyncDisposable
{
    private readonly TuneOptions _options;
    private readonly Stack<IAsyncDisposable> _running = new();
    private readonly List<Arm> _arms = [];
    private readonly Dictionary<string, Contender> _contenders = [];
    private readonly StallMeter _meter;
    private Backend? _larder;
    private Backend? _redis;

    private TuneStand(TuneOptions options, StallMeter meter) => (_options, _meter) = (options, meter);

    /// <summary>What is tuned, our client first: an arm for each number of channels, then the peers.</summary>
    public IReadOnlyList<Arm> Arms => _arms;

    /// <summary>Starts what the options ask for; <paramref name="meter"/> watches the machine beside each measurement.</summary>
    public static async Task<TuneStand> StartAsync(TuneOptions options, StallMeter meter)
    {
        var stand = new TuneStand(options, meter);
        try
        {
            foreach (int? channels in options.Channels)
            {
                stand._arms.Add(await stand.ArmAsync(new ArmName(options.Client, options.Transport, channels)).ConfigureAwait(false));
            }

            foreach (string peer in options.Peers)
            {
                stand._arms.Add(await stand.ArmAsync(new ArmName(peer, "")).ConfigureAwait(false));
            }

            return stand;
        }
        catch
        {
            await stand.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>An arm; an agent's arguments need an agent of its own.</summary>
    public async Task<Arm> ArmAsync(ArmName name, params string[] arguments)
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

        return new Arm(name, contender, _options);
    }

    /// <summary>Ends the agents, the proxies, the servers: last begun, first ended.</summary>
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

    private async Task<Backend> BackendOfPeerAsync(string peer) => Agents.NeedsRedis(peer)
        ? _redis ??= Between(Backend.Redis())
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
