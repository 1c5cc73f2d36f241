using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests the entry options of Larder's HybridCache.</summary>
public sealed class HybridFlagTests
{
    private static readonly HybridCacheEntryOptions LocalOnly = new() { Flags = HybridCacheEntryFlags.DisableDistributedCache };

    [Fact]
    public async Task DisableUnderlyingData_returns_the_default_on_a_miss()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        HybridCacheEntryOptions reads = new() { Flags = HybridCacheEntryFlags.DisableUnderlyingData };
        Assert.Equal(0, await nodes.ReadAsync(0, "k", 1, reads));
        Assert.Null(await nodes.ReadAsync(0, "k", "made", reads));
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1));
        Assert.Equal(1, await nodes.ReadAsync(1, "k", 2, reads));
    }

    [Fact]
    public async Task DisableLocalCacheRead_reads_from_the_server()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await nodes.ReadAsync(0, "k", 1);
        await nodes.CopiedAsync<int>(0, "k");
        long hits = nodes.ClientOf(0).NearCache!.Hits;
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 2, new() { Flags = HybridCacheEntryFlags.DisableLocalCacheRead }));
        Assert.Equal(hits, nodes.ClientOf(0).NearCache!.Hits);
    }

    [Fact]
    public async Task DisableLocalCacheWrite_keeps_no_copy()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        await nodes.ReadAsync(0, "k", 1);
        HybridCacheEntryOptions noCopy = new() { Flags = HybridCacheEntryFlags.DisableLocalCacheWrite };
        for (int read = 0; read < 3; read++)
        {
            Assert.Equal(1, await nodes.ReadAsync(1, "k", 2, noCopy));
        }

        Assert.Equal((0, 0), (nodes.ClientOf(1).NearCache!.Kept, nodes.ClientOf(1).NearCache!.Copies));
    }

    [Fact]
    public async Task DisableDistributedCache_keeps_the_value_in_this_process()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        Assert.Equal("one", await nodes.ReadAsync(0, "k", "one", LocalOnly, ["t"]));
        Assert.Equal("one", await nodes.ReadAsync(0, "k", "two", LocalOnly));
        Assert.Equal("three", await nodes.ReadAsync(1, "k", "three", LocalOnly));
        await nodes[0].RemoveAsync("k");
        Assert.Equal("four", await nodes.ReadAsync(0, "k", "four", LocalOnly, ["t"]));
        await nodes[0].RemoveByTagAsync("t");
        Assert.Equal("five", await nodes.ReadAsync(0, "k", "five", LocalOnly));
        await nodes[0].RemoveByTagAsync("*");
        await nodes[0].SetAsync("k", "six", LocalOnly);
        Assert.Equal("six", await nodes.ReadAsync(0, "k", "seven", LocalOnly));
        Assert.True((await nodes.ClientOf(0).Cache("cache").GetAsync("hybrid:k")).IsMiss);
    }

    [Fact]
    public async Task Value_of_this_process_is_never_returned_to_other_calls()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await nodes[0].SetAsync("k", "local", LocalOnly);
        Assert.Equal("shared", await nodes.ReadAsync(0, "k", "shared"));
        Assert.Equal("local", await nodes.ReadAsync(0, "k", "other", LocalOnly));
        await nodes[0].SetAsync("k", "new");
        Assert.Equal("new", await nodes.ReadAsync(0, "k", "other"));
        Assert.Equal("new", await nodes.ReadAsync(0, "k", "other", new() { Flags = HybridCacheEntryFlags.DisableDistributedCacheWrite }));
    }

    [Fact]
    public async Task DisableDistributedCacheRead_loads_and_stores_for_others()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        await nodes.ReadAsync(0, "k", "old");
        HybridCacheEntryOptions load = new() { Flags = HybridCacheEntryFlags.DisableDistributedCacheRead | HybridCacheEntryFlags.DisableLocalCacheRead };
        Assert.Equal("new", await nodes.ReadAsync(0, "k", "new", load));
        Assert.Equal("new", await nodes.ReadAsync(1, "k", "other"));
    }

    [Fact]
    public async Task All_layers_disabled_runs_the_factory_each_time()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        HybridCacheEntryOptions none = new() { Flags = HybridCacheEntryFlags.DisableLocalCache | HybridCacheEntryFlags.DisableDistributedCache };
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1, none));
        Assert.Equal(2, await nodes.ReadAsync(0, "k", 2, none));
        await nodes[0].SetAsync("k", 3, none);
        Assert.Equal(4, await nodes.ReadAsync(0, "k", 4, none));
        Assert.Equal(0, nodes[0].Local.Bytes);
    }

    [Fact]
    public async Task LocalCacheExpiration_ends_a_copy_before_its_entry()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await nodes.ReadAsync(0, "k", 1);
        await nodes.CopiedAsync<int>(0, "k");
        long kept = nodes.ClientOf(0).NearCache!.Kept;
        HybridCacheEntryOptions brief = new() { LocalCacheExpiration = TimeSpan.FromMilliseconds(1) };
        await Eventually.Holds(
            () => nodes.ReadAsync(0, "k", 2, brief).AsTask().GetAwaiter().GetResult() == 1 && nodes.ClientOf(0).NearCache!.Kept > kept,
            "the value is read again");
        kept = nodes.ClientOf(0).NearCache!.Kept;
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 2, new() { LocalCacheExpiration = TimeSpan.FromHours(1) }));
        Assert.Equal(kept, nodes.ClientOf(0).NearCache!.Kept);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public async Task Expiration_that_is_not_positive_stores_nothing(int seconds)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        HybridCacheEntryOptions options = new() { Expiration = TimeSpan.FromSeconds(seconds) };
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1, options));
        Assert.Equal(2, await nodes.ReadAsync(0, "k", 2));
        await nodes[0].SetAsync("k", 3, options);
        Assert.Equal(4, await nodes.ReadAsync(0, "k", 4));
    }

    [Fact]
    public async Task Default_entry_options_apply_to_calls_without_options()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(configure: static options => options.DefaultEntryOptions = new()
        {
            Expiration = TimeSpan.FromHours(2),
            Flags = HybridCacheEntryFlags.DisableLocalCacheWrite,
        });
        await nodes.ReadAsync(0, "default", 1);
        await nodes.ReadAsync(0, "flags", 1, new() { Flags = HybridCacheEntryFlags.None });
        await nodes.ReadAsync(0, "own", 1, new() { Expiration = TimeSpan.FromHours(3) });
        Cache cache = nodes.ClientOf(0).Cache("cache");
        Assert.InRange(Expect.Hit(await cache.ItemGetTtlAsync("hybrid:default")), TimeSpan.FromHours(1.9), TimeSpan.FromHours(2));
        Assert.InRange(Expect.Hit(await cache.ItemGetTtlAsync("hybrid:flags")), TimeSpan.FromHours(1.9), TimeSpan.FromHours(2));
        Assert.InRange(Expect.Hit(await cache.ItemGetTtlAsync("hybrid:own")), TimeSpan.FromHours(2.9), TimeSpan.FromHours(3));
        Assert.Equal(1, await nodes.ReadAsync(0, "default", 2));
        Assert.Equal(0, nodes.ClientOf(0).NearCache!.Copies);
    }

    [Theory]
    [InlineData(1, HybridCacheEntryFlags.DisableDistributedCache)]
    [InlineData(1, HybridCacheEntryFlags.DisableDistributedCacheWrite)]
    [InlineData(300, HybridCacheEntryFlags.DisableDistributedCache)]
    public async Task Value_of_this_process_is_returned_before_a_near_copy(int length, HybridCacheEntryFlags flags)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        string key = new('k', length);
        HybridCacheEntryOptions own = new() { Flags = flags };
        await nodes.ReadAsync(0, key, "shared");
        await nodes.CopiedAsync<string>(0, key);
        Assert.Equal("shared", await nodes.ReadAsync(0, key, "other", own));
        await nodes[0].SetAsync(key, "own", own);
        Assert.Equal("own", await nodes.ReadAsync(0, key, "other", own));
        Assert.Equal("own", await nodes[0].GetOrCreateAsync(key.AsSpan(), static _ => ValueTask.FromResult("other"), own));
        Assert.Equal("shared", await nodes.ReadAsync(0, key, "other"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Shared_object_of_this_process_counts_uncompressed(bool isSet)
    {
        const int Length = 100_000;
        await using HybridNodes nodes = await HybridNodes.StartAsync(configure: static options => options.CompressAbove = 100);
        string value = new('a', Length);
        if (isSet)
        {
            await nodes[0].SetAsync("k", value, LocalOnly);
        }
        else
        {
            await nodes.ReadAsync(0, "k", value, LocalOnly);
        }

        Assert.InRange(nodes[0].Local.Bytes, Length, Length + 1_000);
    }
}
