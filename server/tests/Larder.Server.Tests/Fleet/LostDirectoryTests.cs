using System.Globalization;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>
/// Tests of FLEET-7 after a failover that lost the last changes of the directory. The new master has an older directory, and no gateway may use this directory.
/// The tests restore the older directory from a copy.
/// </summary>
public sealed class LostDirectoryTests : GatewayPair
{
    private const string Control = "/control_client.ScsControl";
    private const string Directory = "L:{larder}:caches";
    private const string Copy = "L:{larder}:copy";

    [Fact]
    public async Task Lost_flush_is_repeated_and_old_values_are_never_served()
    {
        await First.SetAsync("k", "old");
        Redis.Ask("copy", Directory, Copy);
        await FlushAsync();
        await First.SetAsync("k", "new");
        long version = Version();
        Redis.Ask("copy", Copy, Directory, "replace");
        await UntilRepairedAsync(version, async () => Assert.Equal(("new", "new"), (await ValueAsync(First), await ValueAsync(Second))));
        await using RunningServer third = await RunningGateway.StartAsync(Redis.Url);
        Assert.Equal("new", await ValueAsync(third));
        Eventually.Until(() => Redis.Ask("keys", "L*:k").Split('\n').Length == 1, "what the flush left is swept");
    }

    [Fact]
    public async Task Lost_flush_is_repeated_after_a_concurrent_directory_change()
    {
        await First.SetAsync("k", "old");
        Redis.Ask("copy", Directory, Copy);
        await FlushAsync();
        await First.SetAsync("k", "new");
        long version = Version();
        // In one atomic step, replace the directory by another directory with the same version. In the new directory, another gateway has created another
        // cache.
        Redis.Ask(
            "eval",
            "redis.call('COPY', KEYS[2], KEYS[1], 'REPLACE') local v = redis.call('HINCRBY', KEYS[1], 'v', 1) "
                + "redis.call('HSET', KEYS[1], 'c:late', redis.call('HINCRBY', KEYS[1], 'n', 1) .. '.' .. v, 'w', 'another')",
            "2",
            Directory,
            Copy);
        Assert.Equal(version, Version());
        await UntilRepairedAsync(version, async () => Assert.Equal(("new", "new"), (await ValueAsync(First), await ValueAsync(Second))));
        await Eventually.UntilAsync(async () => (await NamesAsync(Second)).SequenceEqual(["cache", "late"]), "the other change is known, too");
    }

    [Fact]
    public async Task Cache_whose_deletion_was_lost_reappears_empty()
    {
        await CreateAsync("other");
        await First.SetAsync("k", "old", cache: "other");
        Redis.Ask("copy", Directory, Copy);
        await First.CallAsync<DeleteCacheResponse>($"{Control}/DeleteCache", new DeleteCacheRequest { Name = "other" });
        long version = Version();
        Redis.Ask("copy", Copy, Directory, "replace");
        await UntilRepairedAsync(version, async () => Assert.NotEqual("old", await ValueAsync(Second, "other")));
        await Eventually.UntilAsync(async () => (await NamesAsync(Second)).Contains("other"), "it is back");
        Assert.Null(await ValueAsync(First, "other"));
    }

    [Fact]
    public async Task Cache_whose_creation_was_lost_stays_available()
    {
        Redis.Ask("copy", Directory, Copy);
        await CreateAsync("other");
        await First.SetAsync("k", "v", cache: "other");
        long version = Version();
        Redis.Ask("copy", Copy, Directory, "replace");
        await UntilRepairedAsync(version, async () => Assert.Equal("v", await ValueAsync(First, "other")));
        await using RunningServer third = await RunningGateway.StartAsync(Redis.Url);
        Assert.Equal("v", await ValueAsync(third, "other"));
    }

    [Fact]
    public async Task Completely_lost_directory_is_rewritten_and_values_remain_readable()
    {
        await CreateAsync("other");
        await First.SetAsync("k", "v", cache: "other");
        long version = Version();
        Redis.Ask("del", Directory);
        await UntilRepairedAsync(version, async () => Assert.Equal("v", await ValueAsync(First, "other")));
        Assert.Equal(["cache", "other"], await NamesAsync(Second));
    }

    // The gateways receive no notification of the older directory. They detect it with their next heartbeats.
    private async Task UntilRepairedAsync(long version, Func<Task> look)
    {
        await Eventually.UntilAsync(
            async () =>
            {
                await look();
                return Version() > version;
            },
            "the directory is written again");
        for (int again = 0; again < 20; again++)
        {
            await look();
        }
    }

    private long Version() => long.TryParse(Redis.Ask("hget", Directory, "v"), CultureInfo.InvariantCulture, out long version) ? version : 0;

    private async Task FlushAsync()
    {
        await First.FlushAsync();
        await Eventually.UntilAsync(async () => await ValueAsync(Second) is null, "the other gateway knows of the flush");
    }

    private async Task CreateAsync(string name)
    {
        await First.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = name });
        await Eventually.UntilAsync(async () => (await NamesAsync(Second)).Contains(name), "the other gateway knows of the cache");
    }

    private static async Task<string[]> NamesAsync(RunningServer gateway) =>
        [.. (await gateway.CallAsync<ListCachesResponse>($"{Control}/ListCaches", new ListCachesRequest())).Caches.Select(static cache => cache.Name)];

    // Gets a value. Returns null for a miss or if the cache does not exist.
    private static async Task<string?> ValueAsync(RunningServer gateway, string cache = RunningServer.Cache)
    {
        try
        {
            GetResponse get = await gateway.GetAsync("k", cache);
            return get.Result == CacheResult.Hit ? get.Value.ToStringUtf8() : null;
        }
        catch (RpcException none) when (none.Status.Code == StatusCode.NotFound)
        {
            return null;
        }
    }
}
