using Larder.Lab.Near;

namespace Larder.Lab.Tests.Near;

/// <summary>A server whose readers receive no invalidations.</summary>
internal sealed class InvalidationLossServer : INearServers
{
    private readonly NearMemory _server;

    private InvalidationLossServer(NearMemory server) => (_server, Proxy) = (server, new InvalidationFilterProxy(server.Endpoint));

    /// <summary>Gets the proxy that hides the invalidations.</summary>
    public InvalidationFilterProxy Proxy { get; }

    public string Name => "a server whose readers are not told what has changed";

    public bool Forgets => true;

    public static async Task<InvalidationLossServer> StartAsync() => new(await NearMemory.StartAsync());

    public IReadOnlyList<string> EndpointsOf(bool writes) => writes ? _server.EndpointsOf(writes) : [Proxy.Endpoint];

    public Task RestartAsync(int server) => throw new NotSupportedException();

    public void Pause(int server) => throw new NotSupportedException();

    public void Resume(int server) => throw new NotSupportedException();

    public async ValueTask DisposeAsync()
    {
        await Proxy.DisposeAsync();
        await _server.DisposeAsync();
    }
}
