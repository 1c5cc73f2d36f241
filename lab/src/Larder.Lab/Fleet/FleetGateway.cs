using Larder.Harness.Servers;
using Larder.Tuner.Processes;

namespace Larder.Lab.Fleet;

/// <summary>A gateway process, <c>larder serve --store redis://…</c>. After it was killed, it can be restarted on the same port.</summary>
internal sealed class FleetGateway : IAsyncDisposable
{
    private readonly string _store;
    private readonly int _port;
    private ServerProcess _server;

    private FleetGateway(string store, ServerProcess server)
    {
        _store = store;
        _server = server;
        _port = server.Endpoint.Port;
    }

    /// <summary>Gets the address, as <c>host:port</c>.</summary>
    public string Endpoint => _server.Endpoint.Authority;

    public int ProcessId => _server.Id;

    /// <summary>Starts a gateway. Its cluster may be unreachable.</summary>
    public static async Task<FleetGateway> StartAsync(string store) => new(store, await RunAsync(store, 0).ConfigureAwait(false));

    /// <summary>Waits until the gateway has connected to its cluster.</summary>
    public Task UntilReadyAsync() =>
        Wait.UntilAsync(async () => await StatsAsync().ConfigureAwait(false) is { Gateway.IsReady: true }, "a gateway to connect to its cluster");

    /// <summary>Returns the gateway's statistics; null if the gateway does not respond.</summary>
    public Task<ServerStats?> StatsAsync() => ServerStats.ReadAsync(_server.Console);

    /// <summary>Sends SIGKILL and waits until the gateway has ended.</summary>
    public void Kill() => _server.Kill();

    /// <summary>Sends SIGSTOP and waits until the gateway has stopped.</summary>
    public void Pause() => _server.Pause();

    /// <summary>Sends SIGCONT.</summary>
    public void Resume() => _server.Resume();

    /// <summary>Restarts the gateway after <see cref="Kill"/>.</summary>
    public async Task RestartAsync()
    {
        await _server.DisposeAsync().ConfigureAwait(false);
        _server = await RunAsync(_store, _port).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private static Task<ServerProcess> RunAsync(string store, int port) =>
        ServerProcess.StartAsync(Programs.Larder("--store", store) with { Port = port });
}
