using Larder.Client.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Serialization.SystemTextJson;

namespace Larder.Client.Tests.Fusion;

/// <summary>A server and several processes of one application, each with its own services and a FusionCache on the server.</summary>
internal sealed class FusionNodes : IAsyncDisposable
{
    private readonly List<ServiceProvider> _nodes = [];

    private FusionNodes(RunningServer server) => Server = server;

    public RunningServer Server { get; private set; }

    /// <summary>Gets the log events of all processes.</summary>
    public LogLines Log { get; } = new();

    /// <summary>Gets the FusionCache of a process.</summary>
    public IFusionCache this[int node] => _nodes[node].GetRequiredService<IFusionCache>();

    public static async Task<FusionNodes> StartAsync(int count = 2, RunningServer? server = null, Action<LarderFusionCacheOptions>? configure = null)
    {
        FusionNodes nodes = new(server ?? await RunningServer.StartAsync());
        for (int node = 0; node < count; node++)
        {
            nodes.Add(configure);
        }

        return nodes;
    }

    /// <summary>Adds a process, waits for its first attempt to subscribe, and returns its number.</summary>
    public int Add(Action<LarderFusionCacheOptions>? configure = null, TimeSpan? requestTimeout = null)
    {
        ServiceCollection services = new();
        services.AddLogging();
        services.AddSingleton(typeof(ILogger<>), typeof(LogLines<>));
        services.AddSingleton(Log);
        services.AddFusionCache()
            .WithOptions(static options =>
            {
                options.WaitForInitialBackplaneSubscribe = true;
                options.AutoRecoveryDelay = TimeSpan.FromMilliseconds(50);
                options.DefaultEntryOptions.Duration = TimeSpan.FromHours(1);
                options.DefaultEntryOptions.AllowBackgroundBackplaneOperations = false;
            })
            .WithSerializer(new FusionCacheSystemTextJsonSerializer())
            .WithLarder(configure, client =>
            {
                client.Url = $"http://127.0.0.1:{Server.Port}";
                client.RequestTimeout = requestTimeout ?? TimeSpan.FromSeconds(40);
            });
        _nodes.Add(services.BuildServiceProvider());
        _ = this[_nodes.Count - 1];
        return _nodes.Count - 1;
    }

    public CacheClient ClientOf(int node) => _nodes[node].GetRequiredService<CacheClient>();

    /// <summary>Returns the value of a key, or null if the process finds none.</summary>
    public async Task<string?> FindAsync(int node, string key) => (await this[node].TryGetAsync<string?>(key)).GetValueOrDefault(null);

    /// <summary>Waits until a process finds a value, or no value if <paramref name="value"/> is null.</summary>
    public Task FindsAsync(int node, string key, string? value) => Eventually.Holds(
        () => FindAsync(node, key).GetAwaiter().GetResult() == value, $"process {node} finds {value ?? "nothing"} for {key}");

    public async Task StopServerAsync() => await Server.DisposeAsync();

    public async Task RestartServerAsync() => Server = await RunningServer.SucceedAsync(Server.Port);

    public async Task StopAsync(int node) => await _nodes[node].DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        foreach (ServiceProvider node in _nodes)
        {
            await node.DisposeAsync();
        }

        await Server.DisposeAsync();
    }
}
