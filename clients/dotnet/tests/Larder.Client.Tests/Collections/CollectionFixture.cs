using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Collections;

/// <summary>A server, a client with one transport, and the cache that contains the collections.</summary>
internal sealed class CollectionFixture : IAsyncDisposable
{
    private readonly RunningServer _server;

    private CollectionFixture(RunningServer server, CacheClient client)
    {
        _server = server;
        Client = client;
    }

    public CacheClient Client { get; }

    public Cache Cache => Client.Cache("cache");

    public static async Task<CollectionFixture> StartAsync(Transport transport)
    {
        RunningServer server = await RunningServer.StartAsync();
        return new CollectionFixture(server, server.Connect(Configurations.Laptop.V1() with { Transport = transport, RequestTimeout = Eventually.Limit }));
    }

    /// <summary>Returns an item's remaining TTL.</summary>
    public async Task<TimeSpan> RemainingAsync(CacheBytes name) =>
        Expect.Hit(await Cache.ItemGetTtlAsync(name));

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await _server.DisposeAsync();
    }
}
