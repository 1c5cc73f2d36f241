using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.Caching.Memory;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Hosting;

/// <summary>
/// An application process with a HybridCache: .NET's default on the distributed cache, or Larder's own. Each process has its own memory, and all processes use
/// the same server.
/// </summary>
internal sealed class HybridProcess : IAsyncDisposable
{
    private readonly ServiceProvider _services;
    private int _made;

    public HybridProcess(
        int port,
        TimeProvider time,
        Action<LarderDistributedCacheOptions>? configure = null,
        Action<HybridCacheOptions>? configureHybrid = null,
        Action<IHybridCacheBuilder>? build = null,
        TimeSpan? requestTimeout = null,
        bool isLarder = false,
        Action<LarderHybridCacheOptions>? configureLarder = null)
    {
        ServiceCollection services = new();
        services.AddSingleton(time);
        services.AddSingleton<ILoggerFactory>(new LoggerFactory());
        services.AddLogging();
        services.AddLarderDistributedCache(
            configure,
            options =>
            {
                options.Url = $"http://127.0.0.1:{port}";
                options.RequestTimeout = requestTimeout ?? TimeSpan.FromSeconds(40);
            });
        IHybridCacheBuilder builder = services.AddHybridCache(configureHybrid ?? (static _ => { }));
        build?.Invoke(builder);
        if (isLarder)
        {
            services.AddLarderHybridCache(configureLarder);
        }

        _services = services.BuildServiceProvider();
        Cache = _services.GetRequiredService<HybridCache>();
        IsLarder = isLarder;
    }

    public HybridCache Cache { get; }

    /// <summary>Gets whether the HybridCache is Larder's own.</summary>
    public bool IsLarder { get; }

    public CacheClient Client => _services.GetRequiredService<CacheClient>();

    public LarderDistributedCache Distributed => _services.GetRequiredService<LarderDistributedCache>();

    /// <summary>Gets the number of values that this process created.</summary>
    public int Made => Volatile.Read(ref _made);

    /// <summary>Gets the value of a key. If the key is missing, creates the value <paramref name="value"/>.</summary>
    public ValueTask<T> GetOrMakeAsync<T>(
        string key,
        T value,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default) =>
        Cache.GetOrCreateAsync(
            key,
            _ =>
            {
                Interlocked.Increment(ref _made);
                return ValueTask.FromResult(value);
            },
            options,
            tags,
            cancellationToken);

    /// <summary>
    /// Waits until the server contains an entry of the key that differs from <paramref name="before"/>. The wait is needed because the default HybridCache
    /// returns a created value before it has stored the value.
    /// </summary>
    public async Task<byte[]> StoredAsync(string key, byte[]? before = null)
    {
        if (IsLarder)
        {
            return Expect.Hit(await Client.Cache("cache").GetAsync("hybrid:" + key)).ToArray();
        }

        byte[]? held = null;
        await Eventually.Holds(
            () => (held = Distributed.Get(key)) is not null && (before is null || !held.AsSpan().SequenceEqual(before)), "the server holds what was made");
        return held!;
    }

    /// <summary>Clears this process's local memory.</summary>
    public void ForgetLocal()
    {
        ((MemoryCache)_services.GetRequiredService<IMemoryCache>()).Clear();
        Client.NearReads?.State.Flushed("cache");
    }

    public ValueTask DisposeAsync() => _services.DisposeAsync();
}
