using Larder.Harness.Servers;
using Larder.Tuner.Processes;

namespace Larder.Lab.Fleet;

/// <summary>One <c>larder serve --store redis://…</c>: killed and started again on the port that its clients know.</summary>
internal sealed class FleetFront : IAsyncDisposable
{
    private readonly string _store;
    private readonly int _port;
    private ServerProcess _server;

    private FleetFront(string store, ServerProcess server)
    {
        _store = store;
        _server = server;
        _port = server.Endpoint.Port;
    }

    /// <summary><c>host:port</c>.</summary>
    public string Endpoint => _server.Endpoint.Authority;

    public int ProcessId => _server.Id;

    /// <summary>Starts one, which need not find its cluster.</summary>
    public static async Task<FleetFront> StartAsync(string store) => new(store, await RunAsync(store, 0).ConfigureAwait(false));

    /// <summary>Waits until it reaches its cluster.</summary>
    public Task UntilReadyAsync() =>
        Wait.UntilAsync(async () => await StatsAsync().ConfigureAwait(false) is { Front.IsReady: true }, "the front reaches its cluster");

    /// <summary>What it says of itself; null where it does not answer.</summary>
    public Task<ServerStats?> StatsAsync() => ServerStats.ReadAsync(_server.Console);

    /// <summary>SIGKILL; it has ended afterwards.</summary>
    public void Kill() => _server.Kill();

    /// <summary>SIGSTOP; it stands still afterwards.</summary>
    public void Pause() => _server.Pause();

    /// <summary>SIGCONT.</summary>
    public void Resume() => _server.Resume();

    /// <summary>Starts it again after <see cref="Kill"/>.</summary>
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
