namespace Larder.Store.Tests;

public sealed class DirectoryTests
{
    [Fact]
    public void Caches_are_created_once_listed_in_order_and_found_by_text_or_bytes()
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
    public void A_blank_name_is_refused(string? name)
    {
        using var fixture = new StoreFixture();
        Assert.Throws<ArgumentException>(() => fixture.Store.CreateCache(name!));
    }

    [Fact]
    public void A_name_of_255_characters_is_taken_and_one_of_256_refused()
    {
        using var fixture = new StoreFixture();
        Assert.True(fixture.Store.CreateCache(new string('x', 255)));
        Assert.Throws<ArgumentException>(() => fixture.Store.CreateCache(new string('x', 256)));
    }

    [Fact]
    public void One_cache_more_than_the_limit_is_refused()
    {
        using var store = new CacheStore(new CacheStoreOptions { MaxCaches = 2, MaxMemoryBytes = 1 << 20 });
        Assert.True(store.CreateCache("a"));
        Assert.True(store.CreateCache("b"));
        Assert.Throws<InvalidOperationException>(() => store.CreateCache("c"));
        Assert.True(store.DeleteCache("a"));
        Assert.True(store.CreateCache("c"));
    }

    [Fact]
    public void The_same_key_in_two_caches_is_two_entries()
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
    public void A_flush_empties_one_cache_and_leaves_the_others()
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
    public void A_deleted_cache_finds_and_stores_nothing_and_its_name_may_be_used_again()
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
    public void On_a_deleted_cache_no_operation_reports_that_it_stored()
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
    public async Task On_a_cache_that_is_flushed_meanwhile_every_operation_goes_through()
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
    public void A_name_with_half_a_surrogate_pair_is_refused()
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
    public void Flushing_often_keeps_working_and_the_memory_is_used_again()
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
