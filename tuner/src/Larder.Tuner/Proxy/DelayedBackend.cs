using Larder.Tuner.Processes;

namespace Larder.Tuner.Proxy;

/// <summary>A server behind a delay proxy. Ends the proxy, not the server.</summary>
internal sealed class DelayedBackend(IBackend server, DelaySetting delay) : IBackend
{
    private readonly DelayProxy _proxy = new(server.Endpoint, delay);

    /// <inheritdoc/>
    public string Endpoint => _proxy.Endpoint;

    /// <inheritdoc/>
    public int? ProcessId => server.ProcessId;

    /// <inheritdoc/>
    public Task<ServerStats?> StatsAsync() => server.StatsAsync();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _proxy.DisposeAsync();
}
