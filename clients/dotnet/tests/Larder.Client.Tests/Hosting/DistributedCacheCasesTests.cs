using Larder.Client.Tests.Support;
using Larder.DistributedCacheCases;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Hosting;

/// <summary>The list that the file store's distributed cache is held to as well.</summary>
public sealed class DistributedCacheCasesTests
{
    public static TheoryData<string, bool> Names => Cases.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public async Task The_server_behaves_as_dotnets_own_distributed_caches(string name, bool blocking)
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(time: time);
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await Cases.RunAsync(name, blocking, new Cases.Subject(cache, time, by => Advance(time, by, client)));
    }

    /// <summary>
    /// A server whose clock jumps takes it for a pause of its own and refuses calls for the next 100 ms of that clock: so the last of the way is gone after it
    /// has noticed. It notices more than a second, so a case moves on by at most 10 ms or by 2 s and more.
    /// </summary>
    private static void Advance(ManualTime time, TimeSpan by, CacheClient client)
    {
        TimeSpan last = TimeSpan.FromMilliseconds(150);
        if (by > last)
        {
            time.Advance(by - last);
            _ = client.GetAsync("cache", "noticed").AsTask().GetAwaiter().GetResult();
            by = last;
        }

        time.Advance(by);
    }
}
