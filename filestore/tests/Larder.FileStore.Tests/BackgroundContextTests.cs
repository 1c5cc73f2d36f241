using Microsoft.Extensions.DependencyInjection;

namespace Larder.FileStore.Tests;

/// <summary>Tests that ambient values (trace, logging scope) of the request that opens a cache do not flow into the cache's timer.</summary>
public sealed class BackgroundContextTests : IDisposable
{
    private static readonly AsyncLocal<string?> Request = new();

    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(FileStoreCoherence.Automatic)]
    [InlineData(FileStoreCoherence.Polled)]
    public void Ambient_values_of_request_do_not_flow_into_cache_timer(FileStoreCoherence coherence)
    {
        ObservedTime time = new();
        ServiceCollection services = new();
        services.AddDistributedFileStoreCache(options =>
        {
            options.WhichVersion = FileStoreCacheVersions.IDistributedCache;
            options.PathToCacheFileDirectory = _folder.Path;
            options.SecondPartOfCacheFileName = "t";
            options.Coherence = coherence;
            options.TimeProvider = time;
        });
        using ServiceProvider provider = services.BuildServiceProvider();
        Request.Value = "request";
        provider.GetRequiredService<IDistributedCache>().Set("k", [1]);
        Assert.Equal("request", Request.Value);
        Assert.NotEmpty(time.Timers);
        Assert.All(time.Timers, Assert.Null);
    }

    private sealed class ObservedTime : TimeProvider
    {
        public List<string?> Timers { get; } = [];

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Timers.Add(ExecutionContext.IsFlowSuppressed() ? null : Request.Value);
            return base.CreateTimer(callback, state, dueTime, period);
        }
    }
}
