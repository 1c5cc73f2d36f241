namespace Larder.Store.Tests;

public sealed class DirectoryTests
{
    [Fact]
    public void Caches_are_listed_in_order_and_found_by_name()
    {
        using var fixture = new StoreFixture();
        Assert.True(fixture.Store.CreateCache("żółw"));
        Assert.True(fixture.Store.CreateCache("a"));
        Assert.False(fixture.Store.CreateCache("a"));
        Assert.Equal(["a", "cache", "żółw"], fixture.Store.CacheNames);
        Assert.Same(fixture.Store.Find("żółw"), fixture.Store.Find("żółw"u8));
        Assert.Null(fixture.Store.Find("A"));
        Assert.Null(fixture.Store.Find("A"u8));
    }

    [Theory]
    [InlineData("")]
    [InlineData("  ")]
    [InlineData(null)]
    public void CreateCache_rejects_blank_name(string? name)
    {
        using var fixture = new StoreFixture();
        Assert.Throws<ArgumentException>(() => fixture.Store.CreateCache(name!));
    }

    [Fact]
    public void CreateCache_accepts_255_character_name_and_rejects_256()
    {
        using var fixture = new StoreFixture();
        Assert.True(fixture.Store.CreateCache(new string('x', 255)));
        Assert.Throws<ArgumentException>(() => fixture.Store.CreateCache(new string('x', 256)));
    }

    [Fact]
    public void CreateCache_throws_at_cache_limit()
    {
        using var store = new CacheStore(new CacheStoreOptions { MaxCaches = 2, MaxMemoryBytes = 1 << 20 });
        Assert.True(store.CreateCache("a"));
        Assert.True(store.CreateCache("b"));
        Assert.Throws<InvalidOperationException>(() => store.CreateCache("c"));
        Assert.True(store.DeleteCache("a"));
        Assert.True(store.CreateCache("c"));
    }

    [Fact]
    public void Same_key_in_two_caches_holds_separate_values()
    {
        using var fixture = new StoreFixture();
        fixture.Store.CreateCache("other");
        Cache other = fixture.Store.Find("other")!;
        fixture.Set("k", "v");
        Assert.Null(StoreFixture.Get(other, "k"));
        other.Set("k"u8, "w"u8, 1000);
        Assert.Equal("v", fixture.Get("k"));
        Assert.Equal("w", StoreFixture.Get(other, "k"));
        Assert.True(other.Delete("k"u8));
        Assert.Equal("v", fixture.Get("k"));
    }

    [Fact]
    public void Flush_empties_one_cache_and_keeps_the_others()
    {
        using var fixture = new StoreFixture();
        fixture.Store.CreateCache("other");
        fixture.Store.Find("other")!.Set("k"u8, "w"u8, 1000);
        fixture.Set("k", "v");
        Assert.True(fixture.Store.FlushCache("cache"));
        Assert.False(fixture.Store.FlushCache("none"));
        Assert.Null(fixture.Get("k"));
        Assert.False(fixture.Cache.Contains("k"u8));
        Assert.True(fixture.SetIf("k", "again", SetCondition.Absent));
        Assert.Equal("again", fixture.Get("k"));
        Assert.Equal("w", StoreFixture.Get(fixture.Store.Find("other")!, "k"));
        Assert.Equal(1, fixture.Store.GetStatistics().Caches.Single(cache => cache.Name == "cache").Entries);
    }

    [Fact]
    public void Deleted_cache_stores_nothing_and_frees_its_name()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v");
        Assert.True(fixture.Store.DeleteCache("cache"));
        Assert.False(fixture.Store.DeleteCache("cache"));
        Assert.Null(fixture.Get("k"));
        fixture.Set("k", "w");
        Assert.Null(fixture.Get("k"));
        Assert.True(fixture.Store.CreateCache("cache"));
        Assert.Null(StoreFixture.Get(fixture.Store.Find("cache")!, "k"));
        Assert.Null(fixture.Get("k"));
    }

    [Fact]
    public void Writes_to_deleted_cache_report_not_stored()
    {
        using var fixture = new StoreFixture();
        fixture.Store.DeleteCache("cache");
        foreach (SetConditionKind kind in Enum.GetValues<SetConditionKind>())
        {
            Assert.False(fixture.SetIf("k", "v", ConditionTests.Condition(kind)), $"{kind}");
        }

        Assert.Equal(IncrementOutcome.NoCache, fixture.Cache.Increment("k"u8, 5, 1000, out long value));
        Assert.Equal(0, value);
        Assert.Equal(0, fixture.Store.GetStatistics().Sets);
    }

    [Fact]
    public async Task Writes_succeed_while_cache_is_flushed_concurrently()
    {
        using var fixture = new StoreFixture();
        var flusher = Task.Run(() =>
        {
            for (int i = 0; i < 20_000; i++)
            {
                fixture.Store.FlushCache("cache");
            }
        });
        for (int i = 0; !flusher.IsCompleted; i++)
        {
            Assert.True(fixture.SetIf($"{i}", "v", SetCondition.Absent));
            Assert.Equal(IncrementOutcome.Ok, fixture.Cache.Increment("n"u8, 1, 1000, out long value));
            Assert.True(value > 0);
        }

        await flusher;
    }

    [Fact]
    public void CreateCache_rejects_name_with_unpaired_surrogate()
    {
        using var fixture = new StoreFixture();
        foreach (string name in new[] { "x\uD800", "\uDC00x", "\uDC00\uD800" })
        {
            Assert.Equal("name", Assert.Throws<ArgumentException>(() => fixture.Store.CreateCache(name)).ParamName);
            Assert.Null(fixture.Store.Find(name));
        }

        Assert.True(fixture.Store.CreateCache("x\uD83D\uDE00"));
        Assert.Equal(["cache", "x\uD83D\uDE00"], fixture.Store.CacheNames);
    }

    [Fact]
    public void Repeated_flushes_reuse_memory_without_evicting()
    {
        using var fixture = new StoreFixture(maxMemoryBytes: 4L << 20, shards: 1);
        for (int round = 0; round < 200; round++)
        {
            for (int i = 0; i < 500; i++)
            {
                fixture.Cache.Set(StoreFixture.Bytes($"{round}-{i}"), new byte[100], 1000);
            }

            Assert.True(fixture.Cache.Contains(StoreFixture.Bytes($"{round}-499")));
            fixture.Store.FlushCache("cache");
            Assert.False(fixture.Cache.Contains(StoreFixture.Bytes($"{round}-499")));
        }

        Assert.Equal(0, fixture.Store.GetStatistics().Evictions.Memory);
        Assert.True(fixture.Store.GetStatistics().UsedMemoryBytes <= 4L << 20);
    }
}
