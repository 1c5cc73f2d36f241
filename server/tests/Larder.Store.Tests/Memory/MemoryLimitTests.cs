namespace Larder.Store.Tests;

public sealed class MemoryLimitTests
{
    [Fact]
    public void S1_Memory_limit_holds_when_five_times_as_much_is_written()
    {
        const long Limit = 32L << 20;
        using var fixture = new StoreFixture(Limit);
        var random = new Random(11);
        byte[] value = new byte[20_000];
        random.NextBytes(value);
        long written = 0;
        for (int i = 0; written < 5 * Limit; i++)
        {
            int length = (int)Math.Pow(value.Length, random.NextDouble());
            byte[] key = StoreFixture.Bytes($"key-{i}");
            fixture.Cache.Set(key, value.AsSpan(0, length), StoreFixture.Hour);
            Assert.True(fixture.Cache.Contains(key), "the entry just set is there");
            written += length + key.Length;
            if (i % 1000 == 0)
            {
                Assert.InRange(fixture.Store.GetStatistics().UsedMemoryBytes, 0, Limit);
            }
        }

        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.InRange(statistics.UsedMemoryBytes, Limit / 2, Limit);
        Assert.True(statistics.Evictions.Memory > 0);
        Assert.True(statistics.Bytes > Limit / 2, $"Half of the limit should hold keys and values, not {statistics.Bytes} bytes.");
    }

    [Fact]
    public void Largest_items_can_be_stored_repeatedly()
    {
        using var fixture = new StoreFixture(16L << 20);
        byte[] value = new byte[fixture.Store.MaxItemBytes - 10];
        for (int i = 0; i < 50; i++)
        {
            fixture.Cache.Set(StoreFixture.Bytes($"k{i}"), value, 1000);
            fixture.Set("small", "v");
            Assert.True(fixture.Cache.Contains(StoreFixture.Bytes($"k{i}")));
            fixture.Store.AssertValid();
        }
    }

    [Fact]
    public void Entries_that_are_read_survive_eviction()
    {
        using var fixture = new StoreFixture(4L << 20, shards: 1);
        byte[] value = new byte[500];
        for (int i = 0; i < 100; i++)
        {
            fixture.Cache.Set(StoreFixture.Bytes($"hot{i}"), value, StoreFixture.Hour);
        }

        for (int i = 0; i < 40_000; i++)
        {
            fixture.Cache.Set(StoreFixture.Bytes($"cold{i}"), value, StoreFixture.Hour);
            fixture.Get($"hot{i % 100}");
        }

        Assert.Equal(100, Enumerable.Range(0, 100).Count(i => fixture.Cache.Contains(StoreFixture.Bytes($"hot{i}"))));
    }

    [Fact]
    public void Expired_entries_are_evicted_before_live_ones()
    {
        using var fixture = new StoreFixture(4L << 20, shards: 1);
        byte[] value = new byte[1000];
        for (int i = 0; i < 1500; i++)
        {
            fixture.Cache.Set(StoreFixture.Bytes($"live{i}"), value, StoreFixture.Hour);
            fixture.Cache.Set(StoreFixture.Bytes($"dying{i}"), value, 1000);
        }

        fixture.Clock.AdvanceMs(2000);
        for (int i = 0; i < 1200; i++)
        {
            fixture.Cache.Set(StoreFixture.Bytes($"new{i}"), value, StoreFixture.Hour);
        }

        Assert.Equal(0, fixture.Store.GetStatistics().Evictions.Memory);
        Assert.Equal(1500, Enumerable.Range(0, 1500).Count(i => fixture.Cache.Contains(StoreFixture.Bytes($"live{i}"))));
    }

    [Fact]
    public void Memory_of_short_peak_is_released()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 2);
        byte[] value = new byte[2000];
        for (int i = 0; i < 20_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), value, ttlMs: 1000);
        }

        long peak = fixture.Store.GetStatistics().UsedMemoryBytes;
        Assert.True(peak > 40_000_000);
        for (int second = 0; second < 30; second++)
        {
            fixture.Clock.AdvanceMs(1000);
            fixture.Store.Maintain();
        }

        Assert.InRange(fixture.Store.GetStatistics().UsedMemoryBytes, 0, peak / 20);
    }

    [Fact]
    public void Maintenance_merges_sparse_segments_without_writes()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 2);
        byte[] value = new byte[1000];
        for (int i = 0; i < 40_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), value, ttlMs: i % 8 == 0 ? StoreFixture.Hour : 1000);
        }

        for (int second = 0; second < 200; second++)
        {
            fixture.Clock.AdvanceMs(1000);
            fixture.Store.Maintain();
        }

        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.Equal(5000, statistics.Entries);
        long live = statistics.Bytes + statistics.OverheadBytes;
        Assert.True(statistics.UsedMemoryBytes < 2 * live, $"{statistics.UsedMemoryBytes} bytes are held for {live} live ones.");
    }

    /// <summary>Tests that a store far below its memory limit limits its dead space in proportion to the live entries.</summary>
    [Fact]
    public void Overwrites_with_mixed_sizes_use_at_most_twice_live_bytes()
    {
        using var fixture = new StoreFixture(512L << 20, shards: 4);
        var random = new Random(12);
        byte[] value = new byte[2000];
        long held = 0;
        for (int i = 0; i < 400_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(random.Next(20_000)), value.AsSpan(0, 16 + (int)Math.Pow(1984, random.NextDouble())), StoreFixture.Hour);
            held = i % 1000 == 0 ? Math.Max(held, fixture.Store.GetStatistics().UsedMemoryBytes) : held;
        }

        StoreStatistics statistics = fixture.Store.GetStatistics();
        long live = statistics.Bytes + statistics.OverheadBytes;
        Assert.True(held < 2 * live, $"{held} bytes were held for {live} live ones.");
    }

    [Fact]
    public void Set_evicts_entries_of_at_most_one_segment()
    {
        using var fixture = new StoreFixture(4L << 20, shards: 1);
        const int SmallestEntry = 36;
        long before = 0;
        long most = 0;
        for (int i = 0; i < 200_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), "12345678"u8, StoreFixture.Hour);
            long evicted = fixture.Store.GetStatistics().Evictions.Memory;
            most = Math.Max(most, evicted - before);
            before = evicted;
        }

        Assert.True(before > 0);
        Assert.InRange(most, 1, SegmentPlan.SegmentBytesFor(4L << 20) / SmallestEntry);
    }
}
