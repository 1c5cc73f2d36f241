namespace Larder.Store.Tests;

/// <summary>Tests that flushed entries of all sizes are reclaimed in steps, even without writes. No live entry is evicted before that.</summary>
public sealed class FlushTests
{
    private const long Limit = 16L << 20;

    // One step of a write sweeps 256 entries. Before that, it removes at most 16 expired entries, sweeps 128 entries in advance, walks through 128 entries, and
    // copies 32 groups of the index.
    private const long MaxWorkPerWrite = 256 + 16 + 128 + 128 + (32 * 8);

    [Fact]
    public void Flushed_large_values_are_reclaimed_before_live_entries_are_evicted()
    {
        using var fixture = new StoreFixture(Limit, shards: 1);
        Cache big = Other(fixture);
        byte[] value = new byte[SegmentPlan.SegmentBytesFor(Limit) / 4];
        int large = (int)(Limit / 4 / value.Length);
        for (int i = 0; i < large; i++)
        {
            big.Set(BitConverter.GetBytes(i), value, StoreFixture.Hour);
            Assert.NotNull(StoreFixture.Get(big, BitConverter.GetBytes(i)));
        }

        int set = FillUntilEvicting(fixture, 0);
        long evicted = fixture.Store.GetStatistics().Evictions.Memory;
        fixture.Store.FlushCache("other");
        long room = (large / 2 * (long)value.Length) / EntryHeader.SizeOf(sizeof(int), 100);
        for (int i = 0; i < room; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(set++), value.AsSpan(0, 100), StoreFixture.Hour);
        }

        StoreStatistics after = fixture.Store.GetStatistics();
        Assert.Equal(large, after.Evictions.Flushed);
        Assert.InRange(after.Evictions.Memory - evicted, 0, room / 10);
        Assert.InRange(fixture.Store.MaxWork, 1, MaxWorkPerWrite + 2048);
    }

    [Fact]
    public void Maintenance_reclaims_flushed_entries_and_releases_memory_without_writes()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 2);
        Cache other = Other(fixture);
        for (int i = 0; i < 20_000; i++)
        {
            other.Set(BitConverter.GetBytes(i), new byte[i % 100 == 0 ? 200_000 : 500], StoreFixture.Hour);
            fixture.Cache.Set(BitConverter.GetBytes(i), new byte[20], StoreFixture.Hour);
        }

        fixture.Store.DeleteCache("other");
        for (int second = 0; second < 20; second++)
        {
            fixture.Clock.AdvanceMs(1000);
            fixture.Store.Maintain();
        }

        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.True(statistics.Entries == 20_000 || statistics.Evictions.Memory > 0);
        Assert.InRange(statistics.UsedMemoryBytes, 0, 4L << 20);
        Assert.InRange(fixture.Store.MaxWork, 1, MaxWorkPerWrite);
    }

    [Fact]
    public void Reclaim_pass_skips_segments_without_flushed_entries()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 1);
        Cache other = Other(fixture);
        for (int i = 0; i < 300_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), "v"u8, StoreFixture.Hour);
        }

        for (int i = 0; i < 10_000; i++)
        {
            other.Set(BitConverter.GetBytes(i), "v"u8, StoreFixture.Hour);
        }

        // One maintenance run visits 65,536 entries.
        fixture.Store.FlushCache("other");
        fixture.Store.Maintain();
        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.Equal((10_000, 300_000, 0), (statistics.Evictions.Flushed, statistics.Entries, statistics.FlushedBytes));
    }

    /// <summary>Tests that the number of flushed spaces that await reclaim is limited, and that each flush does a limited amount of work.</summary>
    [Fact]
    public void Each_of_many_pending_flushes_does_bounded_work()
    {
        using var fixture = new StoreFixture(Limit, shards: 1);
        Cache other = Other(fixture);
        int most = ShardPlan.MaxDeadSpaces(Limit);
        int entries = FillUntilEvicting(fixture, 0);
        long worst = 0;
        for (int i = 0; i < 10 * most; i++)
        {
            other.Set("k"u8, "v"u8, StoreFixture.Hour);
            fixture.Store.FlushCache("other");
            worst = Math.Max(worst, fixture.Store.DeadSpaces);
        }

        Assert.InRange(worst, 2, most);

        // A pass has MaxDeadSpaces / 4 parts. Each entry takes at least 24 bytes, which limits the number of entries in a part.
        Assert.InRange(fixture.Store.MaxWork, 1, Math.Max(Limit / EntryHeader.Bytes / (most / 4), MaxWorkPerWrite) + 2048);
        Assert.True(fixture.Cache.Contains(BitConverter.GetBytes(entries - 1)));
    }

    [Fact]
    public void Flush_during_reclaim_pass_is_reclaimed_by_next_pass()
    {
        using var fixture = new StoreFixture(Limit, shards: 1);
        Cache other = Other(fixture);
        for (int i = 0; i < 5000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), new byte[50], StoreFixture.Hour);
            other.Set(BitConverter.GetBytes(i), new byte[60], StoreFixture.Hour);
        }

        fixture.Store.FlushCache("cache");
        other.Set("begins the pass"u8, "v"u8, StoreFixture.Hour);
        fixture.Store.FlushCache("other");
        fixture.Store.CreateCache("third");
        Cache third = fixture.Store.Find("third")!;
        for (int i = 0; i < 2000; i++)
        {
            third.Set(BitConverter.GetBytes(i), "v"u8, StoreFixture.Hour);
        }

        fixture.Store.Maintain();
        fixture.Store.Maintain();
        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.Equal((10_001, 2000, 0), (statistics.Evictions.Flushed, statistics.Entries, fixture.Store.DeadSpaces));
    }

    private static Cache Other(StoreFixture fixture)
    {
        fixture.Store.CreateCache("other");
        return fixture.Store.Find("other")!;
    }

    private static int FillUntilEvicting(StoreFixture fixture, int from)
    {
        byte[] value = new byte[100];
        while (fixture.Store.GetStatistics().Evictions.Memory == 0)
        {
            for (int i = 0; i < 100; i++)
            {
                fixture.Cache.Set(BitConverter.GetBytes(from++), value, StoreFixture.Hour);
            }
        }

        return from;
    }
}
