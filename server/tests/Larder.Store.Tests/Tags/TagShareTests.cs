namespace Larder.Store.Tests;

/// <summary>Tests that the caches of a store share the tags that the store remembers (TAG-6).</summary>
public sealed class TagShareTests : IDisposable
{
    private const int Items = 1_000;

    private readonly StoreFixture _fixture = new();
    private readonly Cache _neighbour;

    public TagShareTests()
    {
        Assert.True(_fixture.Store.CreateCache("neighbour"));
        _neighbour = _fixture.Store.Find("neighbour")!;
    }

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(RemovedTags.MaxRemembered)]
    [InlineData(RemovedTags.MaxRemembered + 1)]
    [InlineData(RemovedTags.MaxRemembered * 10)]
    public void Items_survive_when_another_cache_removes_many_tags(int removed)
    {
        Set(_fixture.Cache, "greedy", 1);
        for (int i = 0; i < Items; i++)
        {
            Set(_neighbour, $"k{i}", (ulong)i + 1);
        }

        RemoveOneByOne(70);
        RemoveMany(_fixture.Cache, removed);
        RemoveOneByOne(72);

        Assert.Equal(Items - 72, Enumerable.Range(0, Items).Count(i => StoreFixture.Get(_neighbour, $"k{i}") == "v"));
        Assert.Null(_fixture.Get("greedy"));
        Assert.InRange(_fixture.Store.RemovedTagsPool.Taken, 1, RemovedTags.MaxRemembered);

        void RemoveOneByOne(int tags)
        {
            for (int i = 0; i < tags; i++)
            {
                _neighbour.RemoveByTags([(ulong)i + 1]);
            }
        }
    }

    [Fact]
    public void Item_newer_than_evicted_tag_removals_survives()
    {
        RemoveMany(_fixture.Cache, RemovedTags.MaxRemembered / 2);
        Set(_fixture.Cache, "new", 1);
        RemoveMany(_fixture.Cache, RemovedTags.MaxRemembered / 2, from: RemovedTags.MaxRemembered);
        _neighbour.RemoveByTags([1]);
        Assert.Equal("v", _fixture.Get("new"));
    }

    [Fact]
    public void Greedy_caches_get_equal_shares_of_remembered_tags()
    {
        RemoveMany(_fixture.Cache, RemovedTags.MaxRemembered);
        Set(_neighbour, "first half", 1);
        RemoveMany(_neighbour, RemovedTags.MaxRemembered / 2);
        Assert.Equal("v", StoreFixture.Get(_neighbour, "first half"));
        RemoveMany(_neighbour, 1_024, from: RemovedTags.MaxRemembered);
        Assert.Null(StoreFixture.Get(_neighbour, "first half"));
        Assert.Equal(RemovedTags.MaxRemembered, _fixture.Store.RemovedTagsPool.Taken);
    }

    [Fact]
    public void Repeated_removal_of_one_tag_takes_one_pool_entry()
    {
        for (int i = 0; i < 100_000; i++)
        {
            _fixture.Cache.RemoveByTags([7, 7, 8]);
        }

        Assert.Equal(2, _fixture.Store.RemovedTagsPool.Taken);
        RemoveMany(_neighbour, 10 * RemovedTags.MaxRemembered);
        Set(_fixture.Cache, "k", 8);
        _fixture.Cache.RemoveByTags([8]);
        Assert.Null(_fixture.Get("k"));
    }

    [Fact]
    public void Repeated_tag_removal_is_evicted_after_all_earlier_removals()
    {
        _fixture.Cache.RemoveByTags([ulong.MaxValue]);
        RemoveMany(_fixture.Cache, RemovedTags.MaxRemembered - 1);
        Set(_fixture.Cache, "k", ulong.MaxValue - 1);
        _fixture.Cache.RemoveByTags([ulong.MaxValue]);

        // Each removal replaces an older removal. The item was created after these older removals.
        for (int tag = 0; tag < 1_000; tag++)
        {
            _fixture.Cache.RemoveByTags([RemovedTags.MaxRemembered + (ulong)tag]);
        }

        Assert.Equal(RemovedTags.MaxRemembered, _fixture.Store.RemovedTagsPool.Taken);
        Assert.Equal("v", _fixture.Get("k"));
    }

    [Fact]
    public async Task Concurrent_tag_removals_in_two_caches_remove_every_item()
    {
        const int Rounds = 20_000;
        await Task.WhenAll(new[] { _fixture.Cache, _neighbour }.Select(cache => Task.Run(() =>
        {
            ulong[] tags = new ulong[Cache.MaxTags];
            for (int round = 0; round < Rounds; round++)
            {
                for (int i = 0; i < tags.Length; i++)
                {
                    tags[i] = ((ulong)round * (ulong)tags.Length) + (ulong)i;
                }

                Set(cache, "k", tags[^1]);
                cache.RemoveByTags(tags);
                Assert.Null(StoreFixture.Get(cache, "k"));
            }
        })));
        Assert.InRange(_fixture.Store.RemovedTagsPool.Taken, RemovedTags.MaxRemembered / 2, RemovedTags.MaxRemembered);
    }

    private static void Set(Cache cache, string key, ulong tag) =>
        cache.SetWith(StoreFixture.Bytes(key), "v"u8, StoreFixture.Hour, new ItemExtras([tag], 0, cache.Removals));

    private static void RemoveMany(Cache cache, int tags, int from = 0)
    {
        ulong[] part = new ulong[Cache.MaxTags];
        for (int removed = 0; removed < tags; removed += part.Length)
        {
            int length = Math.Min(part.Length, tags - removed);
            for (int i = 0; i < length; i++)
            {
                // These tags differ from the neighbour's tags, which are small numbers.
                part[i] = (1UL << 32) + (ulong)from + (ulong)removed + (ulong)i;
            }

            cache.RemoveByTags(part.AsSpan(0, length));
        }
    }
}
