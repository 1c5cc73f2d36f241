using Larder.Client.Tests.Hosting;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests the limits of keys and tags of Larder's HybridCache.</summary>
public sealed class HybridKeyTests
{
    public static TheoryData<string?> InvalidKeys { get; } =
        [null, "", " \t", "a\u0000b", "a\nb", new string('k', 21), new string('k', 200), new string('k', 5_000)];

    // Not a theory: xunit replaces lone surrogates in the arguments of a theory.
    [Fact]
    public async Task Key_with_lone_surrogate_runs_the_factory_and_stores_nothing()
    {
        foreach (string key in (string[])["\uD800", "a\uDC00", "\uDC00\uD800"])
        {
            await Invalid_key_runs_the_factory_and_stores_nothing(key);
        }
    }

    [Theory]
    [MemberData(nameof(InvalidKeys))]
    public async Task Invalid_key_runs_the_factory_and_stores_nothing(string? key)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(configure: static options => options.MaximumKeyLength = 20);
        Assert.Equal(1, await nodes.ReadAsync(0, key!, 1));
        Assert.Equal(2, await nodes.ReadAsync(0, key!, 2));
        await nodes[0].SetAsync(key!, 3);
        Assert.Equal(4, await nodes.ReadAsync(0, key!, 4));
        await nodes[0].RemoveAsync(key!);
        Assert.Equal(0, await nodes.ReadAsync(0, key!, 5, new() { Flags = HybridCacheEntryFlags.DisableUnderlyingData }));
        Assert.Equal(0, nodes.ClientOf(0).NearCache!.Copies);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(300)]
    [InlineData(1_024)]
    public async Task Valid_key_of_any_length_is_served_from_memory(int length)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        string key = new('é', length);
        Assert.Equal(1, await nodes.ReadAsync(0, key, 1));
        await nodes.CopiedAsync<int>(0, key);
        long hits = nodes.ClientOf(0).NearCache!.Hits;
        Assert.Equal(1, await nodes.ReadAsync(0, key, 2));
        Assert.Equal(hits + 1, nodes.ClientOf(0).NearCache!.Hits);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("  ")]
    [InlineData("*")]
    public async Task Invalid_tag_throws(string? tag)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await Assert.ThrowsAsync<ArgumentException>(() => nodes.ReadAsync(0, "k", 1, tags: ["a", tag!]).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => nodes[0].SetAsync("k", 1, tags: [tag!]).AsTask());
        Assert.Equal(2, await nodes.ReadAsync(0, "k", 2));
    }

    [Fact]
    public async Task Duplicate_tags_count_once()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await nodes.ReadAsync(0, "k", 1, tags: Enumerable.Repeat("a", 1_000));
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 2, tags: []));
        await nodes[0].RemoveByTagAsync(["a", "a"]);
        Assert.Equal(2, await nodes.ReadAsync(0, "k", 2));
    }

    [Theory]
    [InlineData(127, 1)]
    [InlineData(128, 2)]
    [InlineData(1_280, 2)]
    public async Task Entry_with_too_many_tags_is_not_stored(int count, int second)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        string[] tags = [.. Enumerable.Range(0, count).Select(static tag => $"tag {tag}")];
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1, tags: tags));
        Assert.Equal(second, await nodes.ReadAsync(0, "k", 2, tags: tags));
        await nodes[0].RemoveByTagAsync(tags[^1]);
        Assert.Equal(3, await nodes.ReadAsync(0, "k", 3, tags: tags));
    }

    [Theory]
    [InlineData(1_017, 1)]
    [InlineData(1_018, 2)]
    [InlineData(10_240, 2)]
    public async Task Entry_with_a_too_long_tag_is_not_stored(int length, int second)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        string tag = new('t', length);
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1, tags: [tag]));
        Assert.Equal(second, await nodes.ReadAsync(0, "k", 2, tags: [tag]));
        await nodes[0].RemoveByTagAsync(tag);
        Assert.Equal(3, await nodes.ReadAsync(0, "k", 3, tags: [tag]));
    }

    [Fact]
    public async Task Entry_with_an_invalid_Unicode_tag_is_not_stored()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1, tags: ["\uD800"]));
        Assert.Equal(2, await nodes.ReadAsync(0, "k", 2, tags: ["\uD800"]));
        await nodes[0].SetAsync("k", 3, tags: ["\uD800"]);
        Assert.Equal(4, await nodes.ReadAsync(0, "k", 4));
        await nodes[0].RemoveByTagAsync(["\uD800", "", null!, " "]);
        Assert.Equal(4, await nodes.ReadAsync(0, "k", 5));
    }

    [Fact]
    public async Task Endless_tags_do_not_hang()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        Assert.Equal(1, await Eventually.Within(nodes.ReadAsync(0, "k", 1, tags: Endless())));

        static IEnumerable<string> Endless()
        {
            for (int tag = 0; ; tag++)
            {
                yield return $"tag {tag}";
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Null_keys_and_tags_behave_as_in_the_default_HybridCache(bool isLarder)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using HybridProcess process = new(server.Port, TimeProvider.System, isLarder: isLarder);
        HybridCache cache = process.Cache;
        Assert.Equal(1, await process.GetOrMakeAsync(null!, 1, tags: [null!]));
        await cache.SetAsync(null!, 2);
        Assert.Equal(3, await process.GetOrMakeAsync(null!, 3));
        Assert.Equal(0, await process.GetOrMakeAsync(null!, 4, new() { Flags = HybridCacheEntryFlags.DisableUnderlyingData }));

        Assert.Equal(5, await process.GetOrMakeAsync("k", 5));
        await process.StoredAsync("k");
        await cache.RemoveAsync((IEnumerable<string>)null!);
        await cache.RemoveAsync([]);
        await cache.RemoveByTagAsync((string)null!);
        await cache.RemoveByTagAsync((IEnumerable<string>)null!);
        await cache.RemoveByTagAsync([]);
        await cache.RemoveByTagAsync([null!, "other"]);
        Assert.Equal(5, await process.GetOrMakeAsync("k", 6));

        foreach (string?[] tags in (string?[][])[[null], ["a", null], [""], ["*"]])
        {
            Assert.Equal("tags", (await Assert.ThrowsAsync<ArgumentException>(() => process.GetOrMakeAsync("t", 7, tags: tags!).AsTask())).ParamName);
            Assert.Equal("tags", (await Assert.ThrowsAsync<ArgumentException>(() => cache.SetAsync("t", 7, tags: tags!).AsTask())).ParamName);
        }

        Assert.Equal(8, await process.GetOrMakeAsync("t", 8));
    }
}
