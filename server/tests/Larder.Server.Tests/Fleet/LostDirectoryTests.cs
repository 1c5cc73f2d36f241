using System.Globalization;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>
/// FLEET-7 after a failover that lost the directory's last changes: the new master has an older directory, and no front goes back to it. Put there by hand,
/// from a copy.
/// </summary>
public sealed class LostDirectoryTests : IAsyncLifetime, IDisposable
{
    private const string Control = "/control_client.ScsControl";
    private const string Directory = "L:{larder}:caches";
    private const string Copy = "L:{larder}:copy";

    private readonly RedisServer _redis = new();
    private RunningServer _first = null!;
    private RunningServer _second = null!;

    public async Task InitializeAsync()
    {
        _first = await RunningFront.StartAsync(_redis.Url);
        _second = await RunningFront.StartAsync(_redis.Url);
    }

    public async Task DisposeAsync()
    {
        await _first.DisposeAsync();
        await _second.DisposeAsync();
    }

    public void Dispose() => _redis.Dispose();

    [Fact]
    public async Task A_flush_that_is_lost_is_made_again_and_no_front_serves_what_was_before_it()
    {
        await _first.SetAsync("k", "old");
        _redis.Ask("copy", Directory, Copy);
        await FlushAsync();
        await _first.SetAsync("k", "new");
        long version = Version();
        _redis.Ask("copy", Copy, Directory, "replace");
        await UntilMendedAsync(version, async () => Assert.Equal(("new", "new"), (await ValueAsync(_first), await ValueAsync(_second))));
        await using RunningServer third = await RunningFront.StartAsync(_redis.Url);
        Assert.Equal("new", await ValueAsync(third));
        Patience.Until(() => _redis.Ask("keys", "L*:k").Split('\n').Length == 1, "what the flush left is swept");
    }

    [Fact]
    public async Task So_it_is_where_another_front_has_changed_the_older_directory_meanwhile()
    {
        await _first.SetAsync("k", "old");
        _redis.Ask("copy", Directory, Copy);
        await FlushAsync();
        await _first.SetAsync("k", "new");
        long version = Version();
        // In one step: the same version, by somebody else, for another cache.
        _redis.Ask(
            "eval",
            "redis.call('COPY', KEYS[2], KEYS[1], 'REPLACE') local v = redis.call('HINCRBY', KEYS[1], 'v', 1) "
                + "redis.call('HSET', KEYS[1], 'c:late', redis.call('HINCRBY', KEYS[1], 'n', 1) .. '.' .. v, 'w', 'another')",
            "2",
            Directory,
            Copy);
        Assert.Equal(version, Version());
        await UntilMendedAsync(version, async () => Assert.Equal(("new", "new"), (await ValueAsync(_first), await ValueAsync(_second))));
        await Patience.UntilAsync(async () => (await NamesAsync(_second)).SequenceEqual(["cache", "late"]), "the other change is known, too");
    }

    [Fact]
    public async Task A_cache_whose_deletion_is_lost_comes_back_empty()
    {
        await CreateAsync("other");
        await _first.SetAsync("k", "old", cache: "other");
        _redis.Ask("copy", Directory, Copy);
        await _first.CallAsync<DeleteCacheResponse>($"{Control}/DeleteCache", new DeleteCacheRequest { Name = "other" });
        long version = Version();
        _redis.Ask("copy", Copy, Directory, "replace");
        await UntilMendedAsync(version, async () => Assert.NotEqual("old", await ValueAsync(_second, "other")));
        await Patience.UntilAsync(async () => (await NamesAsync(_second)).Contains("other"), "it is back");
        Assert.Null(await ValueAsync(_first, "other"));
    }

    [Fact]
    public async Task A_cache_whose_making_is_lost_is_there_all_the_time()
    {
        _redis.Ask("copy", Directory, Copy);
        await CreateAsync("other");
        await _first.SetAsync("k", "v", cache: "other");
        long version = Version();
        _redis.Ask("copy", Copy, Directory, "replace");
        await UntilMendedAsync(version, async () => Assert.Equal("v", await ValueAsync(_first, "other")));
        await using RunningServer third = await RunningFront.StartAsync(_redis.Url);
        Assert.Equal("v", await ValueAsync(third, "other"));
    }

    [Fact]
    public async Task A_directory_that_is_lost_whole_is_written_again_and_what_is_on_other_nodes_is_found()
    {
        await CreateAsync("other");
        await _first.SetAsync("k", "v", cache: "other");
        long version = Version();
        _redis.Ask("del", Directory);
        await UntilMendedAsync(version, async () => Assert.Equal("v", await ValueAsync(_first, "other")));
        Assert.Equal(["cache", "other"], await NamesAsync(_second));
    }

    // Nothing says that an older directory is there: the fronts' next beats find it.
    private async Task UntilMendedAsync(long version, Func<Task> look)
    {
        await Patience.UntilAsync(
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

    private long Version() => long.TryParse(_redis.Ask("hget", Directory, "v"), CultureInfo.InvariantCulture, out long version) ? version : 0;

    private async Task FlushAsync()
    {
        await _first.CallAsync<FlushCacheResponse>($"{Control}/FlushCache", new FlushCacheRequest { Name = "cache" });
        await Patience.UntilAsync(async () => await ValueAsync(_second) is null, "the other front knows of the flush");
    }

    private async Task CreateAsync(string name)
    {
        await _first.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = name });
        await Patience.UntilAsync(async () => (await NamesAsync(_second)).Contains(name), "the other front knows of the cache");
    }

    private static async Task<string[]> NamesAsync(RunningServer front) =>
        [.. (await front.CallAsync<ListCachesResponse>($"{Control}/ListCaches", new ListCachesRequest())).Caches.Select(static cache => cache.Name)];

    // Null for a miss, and for a cache that is not there.
    private static async Task<string?> ValueAsync(RunningServer front, string cache = RunningServer.Cache)
    {
        try
        {
            GetResponse get = await front.GetAsync("k", cache);
            return get.Result == CacheResult.Hit ? get.Value.ToStringUtf8() : null;
        }
        catch (RpcException none) when (none.Status.Code == StatusCode.NotFound)
        {
            return null;
        }
    }
}
