using Larder.Client.Tests.Support;
using Larder.DistributedCacheCases;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Hosting;

/// <summary>Runs the shared test cases for distributed caches, which the file store's implementation must also pass.</summary>
public sealed class DistributedCacheCasesTests
{
    public static TheoryData<string, bool> Names => Cases.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Larder_distributed_cache_passes_the_shared_test_cases(string name, bool blocking)
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(time: time);
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await Cases.RunAsync(name, blocking, new Cases.Subject(cache, time, by => ManualServerTime.Advance(time, by, client)));
    }
}
