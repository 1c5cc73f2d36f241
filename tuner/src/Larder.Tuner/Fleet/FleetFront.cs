using System.Globalization;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Fleet;

/// <summary>One <c>larder serve --store redis://…</c>: killed and started again on the port that its clients know.</summary>
internal sealed class FleetFront : IAsyncDisposable
{
    private readonly string _store;
    private readonly int _port;
    private LarderServer _server;

    private FleetFront(string store, LarderServer server)
    {
        _store = store;
        _server = server;
        _port = int.Parse(server.Endpoint.Split(':')[^1], CultureInfo.InvariantCulture);
    }

    /// <summary><c>host:port</c>.</summary>
    public string Endpoint => _server.Endpoint;

    public int ProcessId => _server.ProcessId!.Value;

    /// <summary>Starts one, which need not find its cluster.</summary>
    public static async Task<FleetFront> StartAsync(string store) => new(store, await LarderServer.StartAsync("--store", store).ConfigureAwait(false));

    /// <summary>Waits until it reaches its cluster.</summary>
    public Task UntilReadyAsync() =>
        Wait.UntilAsync(async () => await StatsAsync().ConfigureAwait(false) is { Front.IsReady: true }, "the front reaches its cluster");

    /// <summary>What it says of itself; null where it does not answer.</summary>
    public Task<ServerStats?> StatsAsync() => _server.StatsAsync();

    /// <summary>SIGKILL; it has ended afterwards.</summary>
    public async Task KillAsync()
    {
        _server.Signal(Signals.Kill);
        await _server.StopAsync().ConfigureAwait(false);
    }

    /// <summary>Starts it again after <see cref="KillAsync"/>.</summary>
    public async Task RestartAsync()
    {
        await _server.DisposeAsync().ConfigureAwait(false);
        _server = await LarderServer.StartAtAsync(_port, "--store", _store).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
