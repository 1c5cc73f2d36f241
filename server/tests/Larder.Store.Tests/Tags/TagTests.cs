namespace Larder.Store.Tests;

public sealed class TagTests : IDisposable
{
    private readonly StoreFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Removing_a_tag_makes_a_miss_of_what_has_it_for_every_call_and_of_nothing_else()
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
    public void A_key_that_is_removed_by_tag_is_in_no_scan()
    {
        Set("gone", "a");
        Set("there", "b");
        Remove("a");
        KeyPage page = _fixture.Cache.Scan(default, new KeyQuery { Count = 100 })!;
        Assert.Equal(["there"], page.Keys.Select(each => System.Text.Encoding.UTF8.GetString(each.Key)));
    }

    [Fact]
    public void What_is_set_after_the_removal_stays_and_what_was_begun_before_it_does_not()
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
    public void An_entry_has_as_many_tags_as_are_given_and_any_of_them_removes_it(int tags)
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
    public void More_tags_than_an_item_may_have_are_refused_and_nothing_is_stored(int tags)
    {
        Assert.Throws<ArgumentException>(() => Set("k", [.. Enumerable.Range(0, tags).Select(i => $"tag {i}")]));
        Assert.Null(_fixture.Get("k"));
    }

    [Fact]
    public void A_new_time_to_live_keeps_the_tags_however_often_and_another_set_drops_them()
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
    public void Tags_of_one_cache_are_not_those_of_another()
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
    public void Values_keep_their_tags_through_eviction_and_compaction()
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
    public void Past_the_most_that_is_remembered_a_cache_forgets_its_own_and_what_has_tags_there_is_missed(int removals, bool isThere)
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
    public void A_deleted_cache_gives_the_room_of_its_removed_tags_back()
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
    public async Task A_set_under_way_while_its_tag_is_removed_is_never_there_with_what_was_read_before()
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
