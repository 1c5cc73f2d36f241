using System.Security.Cryptography;
using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>Tests that scans of a collection return exactly its elements, in pages of limited size.</summary>
public sealed class ItemScanTests : IDisposable
{
    private readonly CollectionFixture _fixture = new(maxMemoryBytes: 256L << 20);
    private readonly ItemScan _scan;

    public ItemScanTests() => _scan = new ItemScan(_fixture.Cache);

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(1, 1)]
    [InlineData(5, 1)]
    [InlineData(500, 7)]
    [InlineData(3_000, 1)]
    [InlineData(150_000, 0)]
    [InlineData(150_000, 100_000)]
    public void Scan_of_idle_collection_returns_each_element_once(int elements, int count)
    {
        foreach (ItemType type in ItemScan.Types)
        {
            string key = $"{type}";
            _scan.Fill(key, type, "e", 0, elements);
            List<string> shown = _scan.All(key, count, out int pages);
            Assert.Equal(elements, shown.Count);
            Assert.Equal(Enumerable.Range(0, elements).Select(number => ItemScan.Text(type, "e", number)).Order(), shown.Order());
            Assert.True(pages >= elements / 4_096);
            _fixture.Cache.Delete(StoreFixture.Bytes(key));
        }
    }

    [Fact]
    public void Scan_returns_list_elements_in_order()
    {
        _scan.Fill("list", ItemType.List, "e", 0, 5_000);
        Assert.Equal(Enumerable.Range(0, 5_000).Select(number => $"e{number}"), _scan.All("list", 7, out _));
    }

    [Fact]
    public void Page_size_is_limited_by_count_and_maximum()
    {
        foreach (ItemType type in ItemScan.Types)
        {
            string key = $"{type}";
            _scan.Fill(key, type, "e", 0, 20_000);
            Assert.Equal(7, Page(key, [], 7).Elements.Count);
            Assert.Equal(KeyQuery.DefaultCount, Page(key, [], 0).Elements.Count);
            Assert.Equal(KeyQuery.MaxCount, Page(key, [], int.MaxValue).Elements.Count);
            Assert.Single(Page(key, [], -5).Elements);
            Assert.Equal(type, Page(key, [], 7).Type);
        }
    }

    [Fact]
    public void Page_is_limited_to_1_MB_or_one_larger_element()
    {
        foreach (ItemType type in ItemScan.Types)
        {
            string key = $"{type}";
            for (int i = 0; i < 20; i++)
            {
                _scan.Add(key, type, i + new string('x', i % 5 == 0 ? 2_000_000 : 300_000));
            }

            List<ElementPage> pages = _scan.Pages(key, 0);
            Assert.All(pages, page => Assert.True(page.Elements.Count == 1 || page.Bytes.Length <= 1 << 20));
            Assert.Equal(20, pages.Sum(page => page.Elements.Count));
            Assert.True(pages.Count >= 8);
            _fixture.Cache.Delete(StoreFixture.Bytes(key));
        }
    }

    [Fact]
    public void Scan_returns_values_scores_and_empty_elements_unchanged()
    {
        _fixture.SetFields("dictionary", "f=v", "empty=");
        _fixture.Put("sorted", "a:1.5", "b:-2", "c:-Infinity", ":3");
        _fixture.AddMembers("set", "a", "");
        _fixture.Push("list", ListEnd.Back, 0, "b", "", "b");
        Assert.Equal(["empty=", "f=v"], _scan.All("dictionary", 1, out _).Order());
        Assert.Equal([":3", "a:1.5", "b:-2", "c:-Infinity"], _scan.All("sorted", 1, out _).Order());
        Assert.Equal(["", "a"], _scan.All("set", 1, out _).Order());
        Assert.Equal(["b", "", "b"], _scan.All("list", 1, out _));
    }

    [Fact]
    public void Scan_rejects_missing_or_expired_collection_and_scalar_item()
    {
        _fixture.Store.Set("scalar", "value");
        _fixture.SetFields("short", new CollectionTtl(10, Refresh: false), "f=v");
        _fixture.Store.Clock.AdvanceMs(10);
        Assert.Equal(CollectionOutcome.Missing, Outcome("none", []));
        Assert.Equal(CollectionOutcome.Missing, Outcome("short", []));
        Assert.Equal(CollectionOutcome.WrongType, Outcome("scalar", []));
    }

    [Fact]
    public void Next_page_reports_deleted_key_and_changed_type()
    {
        foreach (ItemType type in ItemScan.Types)
        {
            _scan.Fill("key", type, "e", 0, 1_000);
            byte[] cursor = Page("key", [], 1).Cursor;
            _fixture.Cache.Delete("key"u8);
            Assert.Equal(CollectionOutcome.Missing, Outcome("key", cursor));
            _scan.Fill("key", type == ItemType.Set ? ItemType.List : ItemType.Set, "e", 0, 1_000);
            Assert.Equal(CollectionOutcome.WrongType, Outcome("key", cursor));
            _fixture.Store.Set("key", "scalar");
            Assert.Equal(CollectionOutcome.WrongType, Outcome("key", cursor));
            _fixture.Cache.Delete("key"u8);
        }
    }

    [Fact]
    public void Scan_rejects_cursor_of_another_key_or_cache()
    {
        _scan.Fill("key", ItemType.Set, "e", 0, 1_000);
        _scan.Fill("other", ItemType.Set, "e", 0, 1_000);
        byte[] cursor = Page("key", [], 1).Cursor;
        Assert.Equal(CollectionOutcome.Ok, Outcome("key", cursor));
        Assert.Equal(CollectionOutcome.ForeignCursor, Outcome("other", cursor));
        Assert.Equal(CollectionOutcome.ForeignCursor, Outcome("none", [1]));
        CacheStore store = _fixture.Store.Store;
        store.CreateCache("elsewhere");
        Assert.Equal(CollectionOutcome.ForeignCursor, store.Find("elsewhere")!.ScanItems("key"u8, cursor, 0, out _));
        store.DeleteCache("cache");
        store.CreateCache("cache");
        Assert.Equal(CollectionOutcome.ForeignCursor, store.Find("cache")!.ScanItems("key"u8, cursor, 0, out _));
    }

    [Fact]
    public void Scan_rejects_modified_and_random_cursors()
    {
        _scan.Fill("key", ItemType.List, "e", 0, 1_000);
        byte[] cursor = Page("key", [], 1).Cursor;
        for (int bit = 0; bit < 8 * cursor.Length; bit++)
        {
            byte[] changed = [.. cursor];
            changed[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Equal(CollectionOutcome.ForeignCursor, Outcome("key", changed));
        }

        for (int length = 1; length < 100; length++)
        {
            Assert.Equal(CollectionOutcome.ForeignCursor, Outcome("key", RandomNumberGenerator.GetBytes(length)));
        }
    }

    [Fact]
    public void Scan_with_forged_cursor_position_does_not_fail()
    {
        var random = new Random(5);
        Span<byte> place = stackalloc byte[CollectionCursor.Bytes];
        foreach (ItemType type in ItemScan.Types)
        {
            _scan.Fill("key", type, "e", 0, 1_000);
            for (int round = 0; round < 500; round++)
            {
                random.NextBytes(place);
                var cursor = CollectionCursor.Read(place, RemovalBehavior.GoBack);
                CollectionPiece piece = new(10);
                Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.CopyPiece("key"u8, type, ref cursor, piece));
                Assert.InRange(piece.Elements, 0, 10);
            }

            _fixture.Cache.Delete("key"u8);
        }
    }

    [Fact]
    public void Elements_with_equal_hash_share_one_page()
    {
        (string first, string second) = Collision();
        _fixture.AddMembers("set", first, second);
        _scan.Fill("set", ItemType.Set, "other", 0, 1_000);
        byte[] cursor = [];
        List<string> shown;
        do
        {
            ElementPage page = Page("set", cursor, 1);
            shown = [.. ItemScan.Texts(page)];
            cursor = page.Cursor;
        }
        while (!shown.Contains(first) && !shown.Contains(second) && cursor.Length > 0);
        Assert.Equal(new[] { first, second }.Order(), shown.Order());
    }

    [Fact]
    public void Scan_counts_as_one_read()
    {
        _scan.Fill("key", ItemType.Set, "e", 0, 1_000);
        _scan.All("key", 100, out int pages);
        Assert.Equal(10, pages);
        Assert.Equal(CollectionOutcome.Missing, Outcome("none", []));
        _fixture.Store.Set("scalar", "value");
        Assert.Equal(CollectionOutcome.WrongType, Outcome("scalar", []));
        CacheStatistics statistics = _fixture.Store.Store.GetStatistics().Caches.Single(cache => cache.Name == "cache");
        Assert.Equal((1, 1), (statistics.Hits, statistics.Misses));
    }

    [Fact]
    public void Scan_of_deleted_cache_returns_missing()
    {
        _scan.Fill("key", ItemType.Set, "e", 0, 1_000);
        byte[] cursor = Page("key", [], 1).Cursor;
        _fixture.Store.Store.DeleteCache("cache");
        Assert.Equal(CollectionOutcome.Missing, Outcome("key", cursor));
        Assert.Equal(CollectionOutcome.Missing, Outcome("key", []));
    }

    // Returns two members whose 32-bit hashes are equal.
    private (string First, string Second) Collision()
    {
        Dictionary<uint, string> seen = [];
        for (int number = 0; ; number++)
        {
            string member = $"twin{number}";
            if (!seen.TryAdd(KeyedElements.HashOf(Encoding.UTF8.GetBytes(member), _fixture.Cache.HashSeed), member))
            {
                return (seen[KeyedElements.HashOf(Encoding.UTF8.GetBytes(member), _fixture.Cache.HashSeed)], member);
            }
        }
    }

    private ElementPage Page(string key, byte[] cursor, int count)
    {
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.ScanItems(StoreFixture.Bytes(key), cursor, count, out ElementPage? page));
        return Assert.IsType<ElementPage>(page);
    }

    private CollectionOutcome Outcome(string key, byte[] cursor)
    {
        CollectionOutcome outcome = _fixture.Cache.ScanItems(StoreFixture.Bytes(key), cursor, 0, out ElementPage? page);
        Assert.Equal(outcome == CollectionOutcome.Ok, page is not null);
        return outcome;
    }
}
