using Larder.Harness.Servers;
using Larder.Tuner.Processes;

namespace Larder.Lab.Near;

/// <summary>Provides a single server, which stores the items in its own memory.</summary>
internal sealed class NearMemory : INearServers
{
    private ServerProcess _server;

    private NearMemory(ServerProcess server) => _server = server;

    /// <inheritdoc/>
    public string Name => "one server with its own store";

    /// <inheritdoc/>
    public bool Forgets => true;

    /// <summary>Gets the address, as <c>host:port</c>.</summary>
    public string Endpoint => _server.Endpoint.Authority;

    public static async Task<NearMemory> StartAsync() => new(await ServerProcess.StartAsync(Programs.Larder()).ConfigureAwait(false));

    /// <inheritdoc/>
    public IReadOnlyList<string> EndpointsOf(bool writes) => [Endpoint];

    /// <inheritdoc/>
    public async Task RestartAsync(int server)
    {
        int port = _server.Endpoint.Port;
        _server.Kill();
        await _server.DisposeAsync().ConfigureAwait(false);
        _server = await ServerProcess.StartAsync(Programs.Larder() with { Port = port }).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Pause(int server) => _server.Pause();

    /// <inheritdoc/>
    public void Resume(int server) => _server.Resume();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
