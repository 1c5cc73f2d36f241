namespace Larder.Store.Tests;

public sealed class TagTests : IDisposable
{
    private readonly StoreFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void All_operations_miss_items_of_a_removed_tag()
    {
        Set("both", "a", "b");
        Set("a alone", "a");
        Set("b alone", "b");
        _fixture.Set("none", "v");
        Remove("a");

        Assert.Equal((string?[])[null, null, "v", "v"], ((string[])["both", "a alone", "b alone", "none"]).Select(_fixture.Get));
        Assert.False(_fixture.Cache.Contains("both"u8));
        Assert.False(_fixture.Cache.TryGetTtl("both"u8, out _));
        Assert.False(_fixture.Cache.TryGetType("both"u8, out _));
        Assert.Null(_fixture.Cache.Peek("both"u8, default));
        Assert.Equal(TtlUpdateOutcome.Missing, _fixture.Cache.UpdateTtl("both"u8, TtlUpdate.OverwriteTo, 1_000));
        Set("both", "a");
        Remove("a");
        Assert.False(_fixture.Cache.Delete("both"u8));
        Set("both", "a");
        Remove("a");
        Assert.True(_fixture.SetIf("both", "again", SetCondition.Absent));
        Assert.Equal("again", _fixture.Get("both"));
    }

    [Fact]
    public void Scan_omits_items_removed_by_tag()
    {
        Set("gone", "a");
        Set("there", "b");
        Remove("a");
        KeyPage page = _fixture.Cache.Scan(default, new KeyQuery { Count = 100 })!;
        Assert.Equal(["there"], page.Keys.Select(each => System.Text.Encoding.UTF8.GetString(each.Key)));
    }

    [Fact]
    public void Value_loaded_before_tag_removal_is_a_miss()
    {
        long before = _fixture.Cache.Removals;
        Remove("a");
        Set("late", "a");
        _fixture.Cache.SetWith("early"u8, "v"u8, StoreFixture.Hour, new ItemExtras([Cache.HashTag("a"u8)], 0, before));
        Assert.Equal("v", _fixture.Get("late"));
        Assert.Null(_fixture.Get("early"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Cache.MaxTags)]
    public void Item_is_removed_by_any_of_its_tags(int tags)
    {
        string[] names = [.. Enumerable.Range(0, tags).Select(i => $"tag {i}")];
        Set("k", names);
        Assert.Equal("v", _fixture.Get("k"));
        Remove("another");
        Assert.Equal("v", _fixture.Get("k"));
        if (tags > 0)
        {
            Remove(names[^1]);
            Assert.Null(_fixture.Get("k"));
        }
    }

    [Theory]
    [InlineData(Cache.MaxTags + 1)]
    [InlineData(Cache.MaxTags * 10)]
    public void Set_rejects_more_tags_than_allowed(int tags)
    {
        Assert.Throws<ArgumentException>(() => Set("k", [.. Enumerable.Range(0, tags).Select(i => $"tag {i}")]));
        Assert.Null(_fixture.Get("k"));
    }

    [Fact]
    public void TTL_update_keeps_tags_and_overwrite_drops_them()
    {
        Set("k", "a");
        for (int i = 0; i < 10_000; i++)
        {
            Assert.Equal(TtlUpdateOutcome.Set, _fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, StoreFixture.Hour + i));
        }

        Remove("a");
        Assert.Null(_fixture.Get("k"));
        Set("k", "a");
        _fixture.Set("k", "w");
        Remove("a");
        Assert.Equal("w", _fixture.Get("k"));
    }

    [Fact]
    public void Tags_are_separate_per_cache()
    {
        Assert.True(_fixture.Store.CreateCache("other"));
        Cache other = _fixture.Store.Find("other")!;
        Set("k", "a");
        other.SetWith("k"u8, "v"u8, StoreFixture.Hour, new ItemExtras([Cache.HashTag("a"u8)], 0, other.Removals));
        Remove("a");
        Assert.Null(_fixture.Get("k"));
        Assert.Equal("v", StoreFixture.Get(other, "k"));
    }

    [Fact]
    public void Remaining_items_keep_tags_after_eviction_and_compaction()
    {
        using StoreFixture small = new(maxMemoryBytes: 8 << 20, shards: 1);
        string value = new('v', 200);
        ulong[] tags = [Cache.HashTag("a"u8)];
        for (int i = 0; i < 100_000; i++)
        {
            ItemExtras extras = new(i % 2 == 0 ? tags : default, 0, small.Cache.Removals);
            small.Cache.SetWith(StoreFixture.Bytes($"k{i}"), StoreFixture.Bytes(value), StoreFixture.Hour, extras);
        }

        int[] there = [.. Enumerable.Range(0, 100_000).Where(i => small.Get($"k{i}") == value)];
        Assert.Contains(there, i => i % 2 == 0);
        small.Cache.RemoveByTags(tags);
        Assert.All(there, i => Assert.Equal(i % 2 == 0 ? null : value, small.Get($"k{i}")));
        small.Store.AssertValid();
        for (int i = 0; i < 100_000; i++)
        {
            small.Set($"n{i}", value);
        }
    }

    [Theory]
    [InlineData(RemovedTags.MaxRemembered, true)]
    [InlineData(RemovedTags.MaxRemembered + 1, false)]
    [InlineData(RemovedTags.MaxRemembered * 3, false)]
    public void Cache_above_tag_limit_evicts_only_its_own_tag_removals(int removals, bool isThere)
    {
        Assert.True(_fixture.Store.CreateCache("other"));
        Cache other = _fixture.Store.Find("other")!;
        Set("k", "kept");
        _fixture.Set("plain", "v");
        other.SetWith("k"u8, "v"u8, StoreFixture.Hour, new ItemExtras([Cache.HashTag("kept"u8)], 0, other.Removals));
        Set("removed", "tag 0");
        for (int i = 0; i < removals; i++)
        {
            _fixture.Cache.RemoveByTags([(ulong)i + 1]);
        }

        Remove("tag 0");
        other.RemoveByTags([77]);
        Assert.Equal(isThere && removals < RemovedTags.MaxRemembered ? "v" : null, _fixture.Get("k"));
        Assert.Null(_fixture.Get("removed"));
        Assert.Equal("v", _fixture.Get("plain"));
        Assert.Equal("v", StoreFixture.Get(other, "k"));
        Assert.InRange(_fixture.Store.RemovedTagsPool.Taken, 1, RemovedTags.MaxRemembered);
        Set("new", "kept");
        Assert.Equal("v", _fixture.Get("new"));
    }

    [Fact]
    public void Deleted_cache_frees_its_removed_tags()
    {
        Assert.True(_fixture.Store.CreateCache("other"));
        Cache other = _fixture.Store.Find("other")!;
        other.RemoveByTags([1, 2, 3]);
        Remove("a");
        Assert.Equal(4, _fixture.Store.RemovedTagsPool.Taken);
        Assert.True(_fixture.Store.DeleteCache("other"));
        Assert.Equal(1, _fixture.Store.RemovedTagsPool.Taken);
    }

    [Fact]
    public async Task Set_concurrent_with_tag_removal_never_exposes_older_value()
    {
        ulong[] tag = [Cache.HashTag("a"u8)];
        Cache cache = _fixture.Cache;
        long truth = 0;
        using CancellationTokenSource stop = new();
        Task writer = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                long madeIn = cache.Removals;
                long read = Volatile.Read(ref truth);
                cache.SetWith("k"u8, BitConverter.GetBytes(read), StoreFixture.Hour, new ItemExtras(tag, 0, madeIn));
            }
        });
        for (int i = 1; i <= 20_000; i++)
        {
            Volatile.Write(ref truth, i);
            cache.RemoveByTags(tag);
            System.Buffers.ArrayBufferWriter<byte> found = new();
            if (cache.TryGet("k"u8, found))
            {
                Assert.Equal(i, BitConverter.ToInt64(found.WrittenSpan));
            }
        }

        await stop.CancelAsync();
        await writer;
    }

    private void Set(string key, params string[] tags) => _fixture.Cache.SetWith(
        StoreFixture.Bytes(key),
        "v"u8,
        StoreFixture.Hour,
        new ItemExtras([.. tags.Select(tag => Cache.HashTag(StoreFixture.Bytes(tag)))], 0, _fixture.Cache.Removals));

    private void Remove(string tag) => _fixture.Cache.RemoveByTags([Cache.HashTag(StoreFixture.Bytes(tag))]);
}
