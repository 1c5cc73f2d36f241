using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed class PeekElementsTests
{
    [Fact]
    public void Peek_reads_list_by_position_and_sorted_set_by_rank()
    {
        using CollectionFixture store = new();
        store.Push("l", ListEnd.Back, 0, "a", "b", "c", "d");
        store.Put("z", "low:-1", "high:9", "mid:2.5");
        Assert.Equal("a b c d of 4", Peek(store, "l", ItemType.List, 0, 10));
        Assert.Equal("b c of 4", Peek(store, "l", ItemType.List, 1, 2));
        Assert.Equal(" of 4", Peek(store, "l", ItemType.List, 4, 2));
        Assert.Equal(" of 4", Peek(store, "l", ItemType.List, long.MaxValue, int.MaxValue));
        Assert.Equal(" of 4", Peek(store, "l", ItemType.List, 0, 0));
        Assert.Equal("low:-1 mid:2.5 high:9 of 3", Peek(store, "z", ItemType.SortedSet, 0, 10));
        Assert.Equal("high:9 of 3", Peek(store, "z", ItemType.SortedSet, 2, 10));
    }

    [Theory]
    [InlineData(ItemType.List)]
    [InlineData(ItemType.SortedSet)]
    public void Peek_reads_large_collection_from_any_start(ItemType type)
    {
        using CollectionFixture store = new();
        string[] elements = [.. Enumerable.Range(0, 20_000).Select(number => $"{number:d5}")];
        foreach (string[] some in elements.Chunk(500))
        {
            _ = type == ItemType.List ? store.Push("k", ListEnd.Back, 0, some) : (long)store.Put("k", some);
        }

        foreach (int first in (int[])[0, 99, 10_000, 19_950])
        {
            Assert.Equal($"{string.Join(' ', elements.Skip(first).Take(100))} of 20000", Peek(store, "k", type, first, 100));
        }
    }

    [Fact]
    public void Peek_reports_missing_key_and_wrong_type()
    {
        using CollectionFixture store = new();
        store.AddMembers("s", "a", "b");
        Assert.Equal("WrongType of 0", Peek(store, "s", ItemType.List, 0, 1));
        Assert.Equal("Missing of 0", Peek(store, "none", ItemType.SortedSet, 0, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => Peek(store, "s", ItemType.Set, 0, 1));
        Assert.Equal((CollectionOutcome.Ok, 2), (store.Cache.PeekLength("s"u8, ItemType.Set, out long length), length));
        Assert.Equal((CollectionOutcome.WrongType, 0), (store.Cache.PeekLength("s"u8, ItemType.Dictionary, out length), length));
        Assert.Equal(CollectionOutcome.Ok, store.Cache.PeekItems("s"u8, [], 10, out ElementPage? page));
        Assert.Equal((ItemType.Set, 2, 0), (page!.Type, page.Elements.Count, page.Cursor.Length));
        Assert.Equal(CollectionOutcome.Missing, store.Cache.PeekItems("none"u8, [], 10, out _));
    }

    [Fact]
    public void Peek_counts_no_hits_or_misses()
    {
        using CollectionFixture store = new();
        store.Push("l", ListEnd.Back, 0, "a");
        Peek(store, "l", ItemType.List, 0, 1);
        Peek(store, "none", ItemType.List, 0, 1);
        store.Cache.PeekLength("l"u8, ItemType.List, out _);
        store.Cache.PeekItems("l"u8, [], 10, out _);
        store.Cache.PeekItems("none"u8, [], 10, out _);
        StoreStatistics statistics = store.Store.Store.GetStatistics();
        Assert.Equal((0, 0), (statistics.Hits, statistics.Misses));
        store.Cache.ScanItems("l"u8, [], 10, out _);
        Assert.Equal(1, store.Store.Store.GetStatistics().Hits);
    }

    private static string Peek(CollectionFixture store, string key, ItemType type, long first, int count)
    {
        TextSink sink = new([]);
        CollectionOutcome outcome = store.Cache.PeekRange(StoreFixture.Bytes(key), type, first, count, ref sink, out long length);
        return $"{sink.Text(outcome)} of {length}";
    }
}
