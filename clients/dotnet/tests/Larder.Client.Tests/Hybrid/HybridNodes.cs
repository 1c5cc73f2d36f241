using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Client.Tests.Hybrid;

/// <summary>A server and several processes of one application, each with its own services and Larder's HybridCache.</summary>
internal sealed class HybridNodes : IAsyncDisposable
{
    private readonly List<ServiceProvider> _nodes = [];

    private HybridNodes(RunningServer server) => Server = server;

    public RunningServer Server { get; }

    /// <summary>Gets the HybridCache of a process.</summary>
    public LarderHybridCache this[int node] => _nodes[node].GetRequiredService<LarderHybridCache>();

    public static async Task<HybridNodes> StartAsync(
        int count = 1,
        Action<LarderHybridCacheOptions>? configure = null,
        Action<IServiceCollection>? services = null,
        Action<LarderCacheOptions>? client = null,
        TimeSpan? maxTtl = null)
    {
        HybridNodes nodes = new(await RunningServer.StartAsync(maxTtl: maxTtl));
        for (int node = 0; node < count; node++)
        {
            nodes.Add(nodes.Server.Port, configure, services, client);
        }

        return nodes;
    }

    /// <summary>Adds a process that reaches the server at a port, and returns its number.</summary>
    public int Add(
        int port,
        Action<LarderHybridCacheOptions>? configure = null,
        Action<IServiceCollection>? services = null,
        Action<LarderCacheOptions>? client = null)
    {
        ServiceCollection collection = new();
        collection.AddLogging();
        collection.AddLarderHybridCache(configure, options =>
        {
            options.Url = $"http://127.0.0.1:{port}";
            options.RequestTimeout = TimeSpan.FromSeconds(40);
            client?.Invoke(options);
        });
        services?.Invoke(collection);
        _nodes.Add(collection.BuildServiceProvider());
        return _nodes.Count - 1;
    }

    public CacheClient ClientOf(int node) => _nodes[node].GetRequiredService<CacheClient>();

    /// <summary>Returns the value of a key. If it is missing, the value <paramref name="made"/> is created.</summary>
    public ValueTask<T> ReadAsync<T>(int node, string key, T made, HybridCacheEntryOptions? options = null, IEnumerable<string>? tags = null) =>
        this[node].GetOrCreateAsync(key, _ => ValueTask.FromResult(made), options, tags);

    /// <summary>Reads a key until the process has a copy of it.</summary>
    public Task CopiedAsync<T>(int node, string key) => Eventually.Holds(
        () =>
        {
            _ = ReadAsync<T>(node, key, default!, new() { Flags = HybridCacheEntryFlags.DisableUnderlyingData }).AsTask().GetAwaiter().GetResult();
            return ClientOf(node).Cache("cache").TryGetNear("hybrid:" + key, out _);
        },
        "the process has a copy");

    public async ValueTask DisposeAsync()
    {
        foreach (ServiceProvider node in _nodes)
        {
            await node.DisposeAsync();
        }

        await Server.DisposeAsync();
    }
}
