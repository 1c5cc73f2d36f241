namespace Larder.Store.Tests;

/// <summary>
/// S9: tests with a stalled reader, which prevents the reuse of freed memory. This memory counts as free, so no additional entries are evicted.
/// </summary>
public sealed class LingeringReaderTests
{
    private const long Limit = 16L << 20;

    [Theory]
    [InlineData(100)]
    [InlineData(500_000)]
    [InlineData(900_000)]
    public void Stalled_reader_causes_no_extra_evictions(int valueBytes)
    {
        using var fixture = new StoreFixture(Limit, shards: 1);
        int set = 0;
        while (fixture.Store.GetStatistics().Evictions.Memory == 0)
        {
            fixture.Cache.Set(BitConverter.GetBytes(set++), new byte[100], StoreFixture.Hour);
        }

        long before = fixture.Store.GetStatistics().Entries;
        byte[] value = new byte[valueBytes];
        int sets = 900_000 / valueBytes;
        fixture.Store.Epochs.Current.Enter();
        try
        {
            for (int i = 0; i < sets; i++)
            {
                fixture.Cache.Set(BitConverter.GetBytes(set++), value, StoreFixture.Hour);
                Assert.True(fixture.Cache.Contains(BitConverter.GetBytes(set - 1)));
            }
        }
        finally
        {
            fixture.Store.Epochs.Current.Exit();
        }

        // The number of segments that the sets need, rounded up, plus the segments that are kept available.
        long evicted = before + sets - fixture.Store.GetStatistics().Entries;
        long needed = (sets * (long)EntryHeader.SizeOf(sizeof(int), valueBytes) / SegmentPlan.SegmentBytesFor(Limit)) + 1 + 4;
        Assert.InRange(evicted, 0, needed * SegmentPlan.SegmentBytesFor(Limit) / EntryHeader.SizeOf(sizeof(int), 100));
        Assert.InRange(fixture.Store.GetStatistics().UsedMemoryBytes, 0, Limit + (Limit / 16) + 1_000_000);
    }

    [Fact]
    public void Memory_above_limit_is_released_after_stalled_reader_leaves()
    {
        using var fixture = new StoreFixture(Limit, shards: 1);
        fixture.Store.Epochs.Current.Enter();
        try
        {
            for (int i = 0; i < 150_000; i++)
            {
                fixture.Cache.Set(BitConverter.GetBytes(i), new byte[100], StoreFixture.Hour);
            }
        }
        finally
        {
            fixture.Store.Epochs.Current.Exit();
        }

        fixture.Store.Maintain();
        fixture.Set("k", "v");
        Assert.InRange(fixture.Store.GetStatistics().UsedMemoryBytes, 0, Limit);
    }
}
