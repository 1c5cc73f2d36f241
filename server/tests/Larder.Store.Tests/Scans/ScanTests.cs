using System.Security.Cryptography;
using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Tests;

/// <summary>Tests that scans return exactly the existing keys, in pages of limited size.</summary>
public sealed class ScanTests : IDisposable
{
    private readonly StoreFixture _fixture = new(64L << 20, shards: 4);

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(0, 7)]
    [InlineData(1, 3)]
    [InlineData(30, 1)]
    [InlineData(1_000, 10)]
    [InlineData(60_000, 0)]
    [InlineData(60_000, 100_000)]
    public void Scan_of_idle_cache_returns_each_key_once(int keys, int count)
    {
        Fill("k", keys);
        List<string> shown = Names(ScanAll(new KeyQuery { Count = count }));
        Assert.Equal(keys, shown.Count);
        Assert.Equal(keys, shown.Distinct().Count());
    }

    [Fact]
    public void Page_size_is_limited_by_count_and_maximum()
    {
        Fill("k", 30_000);
        Assert.Equal(7, Page([], new KeyQuery { Count = 7 }).Keys.Count);
        Assert.Equal(KeyQuery.DefaultCount, Page([], new KeyQuery()).Keys.Count);
        Assert.Equal(KeyQuery.MaxCount, Page([], new KeyQuery { Count = int.MaxValue }).Keys.Count);
        Assert.Single(Page([], new KeyQuery { Count = -5 }).Keys);
    }

    [Fact]
    public void Page_ends_when_keys_exceed_1_MB()
    {
        for (int i = 0; i < 20; i++)
        {
            _fixture.Set(i + new string('x', 300_000), "v");
        }

        List<KeyPage> pages = ScanAll(new KeyQuery());
        Assert.All(pages, page => Assert.InRange(page.Keys.Sum(key => key.Key.Length), 0, (1 << 20) + 300_002));
        Assert.Equal(20, Names(pages).Distinct().Count());
    }

    [Fact]
    public void Scan_returns_type_remaining_TTL_and_size_of_keys()
    {
        _fixture.Set("scalar", "12345", ttlMs: 5_000);
        CollectionBatch elements = new("element"u8, [new CollectionItem(0, 7)]);
        _fixture.Cache.ListPush("list"u8, elements, ListEnd.Back, 0, new CollectionTtl(StoreFixture.Hour, Refresh: false), out _);
        _fixture.Clock.AdvanceMs(1_000);
        Dictionary<string, ScannedKey> keys = Page([], new KeyQuery()).Keys.ToDictionary(key => Encoding.UTF8.GetString(key.Key));
        Assert.Equal((ItemType.Scalar, 3_999, 5), (keys["scalar"].Type, keys["scalar"].RemainingMs, keys["scalar"].Bytes));
        Assert.Equal((ItemType.List, 7), (keys["list"].Type, keys["list"].Bytes));
    }

    [Fact]
    public void Scan_filters_by_prefix_and_type()
    {
        Fill("user:", 500);
        Fill("order:", 500);
        CollectionBatch elements = new("element"u8, [new CollectionItem(0, 7)]);
        _fixture.Cache.SetUnion("user:set"u8, elements, new CollectionTtl(StoreFixture.Hour, Refresh: false));
        Assert.Equal(501, Names(ScanAll(new KeyQuery { Prefix = "user:"u8.ToArray() })).Count);
        Assert.Equal(111, Names(ScanAll(new KeyQuery { Prefix = "user:1"u8.ToArray() })).Count);
        Assert.Equal(["user:set"], Names(ScanAll(new KeyQuery { Prefix = "user:"u8.ToArray(), Type = ItemType.Set })));
        Assert.Equal(1_000, Names(ScanAll(new KeyQuery { Type = ItemType.Scalar })).Count);
        Assert.Empty(Names(ScanAll(new KeyQuery { Prefix = Encoding.UTF8.GetBytes(new string('u', 10_000)) })));
    }

    [Fact]
    public void Scan_for_rare_prefix_visits_bounded_entries_per_page()
    {
        Fill("k", 60_000);
        _fixture.Set("rare", "v");
        List<KeyPage> pages = ScanAll(new KeyQuery { Prefix = "rare"u8.ToArray(), Count = KeyQuery.MaxCount });
        Assert.Equal(["rare"], Names(pages));
        Assert.InRange(pages.Count, 60_000 / (8192 + 2048), 60_000 / 8192 * 2);
    }

    [Fact]
    public void Scan_omits_expired_flushed_and_deleted_items()
    {
        Fill("k", 100);
        _fixture.Set("short", "v", ttlMs: 10);
        _fixture.Cache.Delete("k7"u8);
        _fixture.Clock.AdvanceMs(10);
        List<string> shown = Names(ScanAll(new KeyQuery()));
        Assert.Equal(99, shown.Count);
        Assert.DoesNotContain("short", shown);
        Assert.DoesNotContain("k7", shown);
        _fixture.Store.FlushCache("cache");
        Assert.Empty(Names(ScanAll(new KeyQuery())));
    }

    [Fact]
    public void Scan_omits_keys_of_other_caches()
    {
        Fill("k", 20_000);
        _fixture.Store.CreateCache("other");
        Cache other = _fixture.Store.Find("other")!;
        other.Set("k1"u8, "mine"u8, StoreFixture.Hour);
        other.Set("own"u8, "mine"u8, StoreFixture.Hour);
        Assert.Equal(["k1", "own"], Names(ScanAll(new KeyQuery(), other)).Order());
    }

    [Fact]
    public void Scan_of_deleted_cache_is_empty()
    {
        Fill("k", 100);
        _fixture.Store.DeleteCache("cache");
        KeyPage page = Page([], new KeyQuery());
        Assert.Empty(page.Keys);
        Assert.Empty(page.Cursor);
    }

    [Fact]
    public void Scan_rejects_random_cursor_and_cursor_of_another_cache()
    {
        Fill("k", 1_000);
        byte[] cursor = Page([], new KeyQuery { Count = 1 }).Cursor;
        Assert.NotNull(_fixture.Cache.Scan(cursor, new KeyQuery()));
        _fixture.Store.CreateCache("other");
        Assert.Null(_fixture.Store.Find("other")!.Scan(cursor, new KeyQuery()));
        _fixture.Store.DeleteCache("cache");
        _fixture.Store.CreateCache("cache");
        Assert.Null(_fixture.Store.Find("cache")!.Scan(cursor, new KeyQuery()));
        for (int length = 1; length < 40; length++)
        {
            Assert.Null(_fixture.Cache.Scan(RandomNumberGenerator.GetBytes(length), new KeyQuery()));
        }
    }

    [Fact]
    public void Scan_with_forged_cursor_position_does_not_fail()
    {
        Fill("k", 1_000);
        byte[] cursor = Page([], new KeyQuery { Count = 1 }).Cursor;
        var random = new Random(5);
        for (int round = 0; round < 2_000; round++)
        {
            random.NextBytes(cursor.AsSpan(sizeof(ulong)));
            cursor[^1] = (byte)(round % 2);
            cursor[^2] = (byte)random.Next(8);
            KeyPage? page = _fixture.Cache.Scan(cursor, new KeyQuery());
            Assert.True(page is null || page.Keys.Count <= KeyQuery.DefaultCount);
        }
    }

    [Theory]
    [InlineData(50)]
    [InlineData(1_000)]
    public void Scan_returns_unchanged_keys_when_index_is_resized_between_pages(int count)
    {
        Fill("stays", 2_000);
        HashSet<string> shown = [];
        byte[] cursor = [];
        int round = 0;
        do
        {
            KeyPage page = Page(cursor, new KeyQuery { Count = count, Prefix = "stays"u8.ToArray() });
            shown.UnionWith(page.Keys.Select(key => Encoding.UTF8.GetString(key.Key)));
            cursor = page.Cursor;
            if (round++ % 2 == 0)
            {
                Fill("comes", 40_000);
            }
            else
            {
                Remove("comes", 40_000);
                _fixture.Store.Maintain();
            }
        }
        while (cursor.Length > 0 && round < 1_000);
        Assert.Empty(cursor);
        Assert.Equal(2_000, shown.Count);
    }

    [Fact]
    public void Scan_counts_no_hits_or_misses()
    {
        Fill("k", 1_000);
        ScanAll(new KeyQuery());
        CacheStatistics statistics = _fixture.Store.GetStatistics().Caches.Single(cache => cache.Name == "cache");
        Assert.Equal((0, 0), (statistics.Hits, statistics.Misses));
    }

    private void Fill(string prefix, int keys)
    {
        for (int i = 0; i < keys; i++)
        {
            _fixture.Set($"{prefix}{i}", "value");
        }
    }

    private void Remove(string prefix, int keys)
    {
        for (int i = 0; i < keys; i++)
        {
            _fixture.Cache.Delete(StoreFixture.Bytes($"{prefix}{i}"));
        }
    }

    private KeyPage Page(byte[] cursor, KeyQuery query, Cache? cache = null) =>
        Assert.IsType<KeyPage>((cache ?? _fixture.Cache).Scan(cursor, query));

    private List<KeyPage> ScanAll(KeyQuery query, Cache? cache = null)
    {
        List<KeyPage> pages = [Page([], query, cache)];
        while (pages[^1].Cursor.Length > 0)
        {
            pages.Add(Page(pages[^1].Cursor, query, cache));
        }

        return pages;
    }

    private static List<string> Names(List<KeyPage> pages) =>
        [.. pages.SelectMany(page => page.Keys).Select(key => Encoding.UTF8.GetString(key.Key))];
}
