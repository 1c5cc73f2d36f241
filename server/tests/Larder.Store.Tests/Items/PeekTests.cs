namespace Larder.Store.Tests;

public sealed class PeekTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    [InlineData(1_024)]
    [InlineData(1_025)]
    [InlineData(1_000_000)]
    public void Peek_copies_what_fits_and_returns_full_length(int length)
    {
        using var store = new StoreFixture();
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        store.Cache.Set("k"u8, value, 10_000);
        store.Clock.Advance(TimeSpan.FromMilliseconds(1_000));
        foreach (int room in (int[])[0, 3, 65_536, 2_000_000])
        {
            byte[] seen = new byte[room];
            PeekedItem item = store.Cache.Peek("k"u8, seen)!.Value;
            Assert.Equal((ItemType.Scalar, length, Math.Min(room, length)), (item.Type, item.ValueBytes, item.CopiedBytes));
            Assert.InRange(item.RemainingMs, 8_990, 8_999);
            Assert.Equal(value[..item.CopiedBytes], seen[..item.CopiedBytes]);
        }
    }

    [Fact]
    public void Peek_returns_null_for_missing_expired_and_flushed_items()
    {
        using var store = new StoreFixture();
        Assert.Null(store.Cache.Peek("k"u8, []));
        store.Set("k", "v", 1_000);
        store.Clock.Advance(TimeSpan.FromMilliseconds(1_001));
        Assert.Null(store.Cache.Peek("k"u8, []));
        store.Set("k", "v");
        store.Store.FlushCache("cache");
        Assert.Null(store.Cache.Peek("k"u8, []));
        store.Store.DeleteCache("cache");
        Assert.Null(store.Cache.Peek("k"u8, []));
        Assert.Throws<ArgumentException>(() => store.Cache.Peek([], []));
    }

    [Fact]
    public void Peek_counts_no_hits_or_misses()
    {
        using var store = new StoreFixture();
        store.Set("k", "v");
        Assert.NotNull(store.Cache.Peek("k"u8, []));
        Assert.Null(store.Cache.Peek("none"u8, []));
        StoreStatistics statistics = store.Store.GetStatistics();
        Assert.Equal((0, 0), (statistics.Hits, statistics.Misses));
    }
}
