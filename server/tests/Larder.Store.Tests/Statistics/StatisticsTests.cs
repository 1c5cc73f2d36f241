namespace Larder.Store.Tests;

public sealed class StatisticsTests
{
    [Fact]
    public void Counts_are_exact_per_cache_and_in_total()
    {
        using var fixture = new StoreFixture();
        fixture.Store.CreateCache("other");
        Cache other = fixture.Store.Find("other")!;
        fixture.Set("k", "value");
        other.Set("longer key"u8, "v"u8, 1000);
        fixture.Get("k");
        fixture.Get("k");
        fixture.Get("none");
        StoreFixture.Get(other, "none");
        fixture.Cache.Contains("k"u8);

        StoreStatistics statistics = fixture.Store.GetStatistics();
        CacheStatistics first = statistics.Caches.Single(cache => cache.Name == "cache");
        Assert.Equal((2, 1, 1, 1, 6), (first.Hits, first.Misses, first.Sets, first.Entries, first.Bytes));
        Assert.Equal(2.0 / 3, first.HitRatio, 6);
        Assert.Equal((2, 2, 2, 2, 17), (statistics.Hits, statistics.Misses, statistics.Sets, statistics.Entries, statistics.Bytes));
        Assert.True(statistics.UsedMemoryBytes >= statistics.Bytes);
    }

    [Fact]
    public void Fragmentation_is_divided_among_caches_by_memory_held()
    {
        using var fixture = new StoreFixture();
        fixture.Store.CreateCache("other");
        fixture.Store.CreateCache("third");
        fixture.Set("k", new string('v', 3000));
        fixture.Store.Find("other")!.Set("k"u8, new byte[1000], StoreFixture.Hour);
        StoreStatistics statistics = fixture.Store.GetStatistics();
        long[] shares = [.. statistics.Caches.Select(cache => cache.FragmentationBytes)];
        Assert.InRange(shares.Sum(), statistics.FragmentationBytes - 3, statistics.FragmentationBytes);
        Assert.True(shares[0] > shares[1] && shares[1] > 0 && shares[2] == 0, string.Join(' ', shares));
    }

    [Fact]
    public void Used_memory_is_sum_of_its_reported_parts()
    {
        using var fixture = new StoreFixture();
        fixture.Store.CreateCache("other");
        for (int i = 0; i < 1000; i++)
        {
            fixture.Set($"key-{i}", "value");
            fixture.Store.Find("other")!.Set(StoreFixture.Bytes($"{i}"), new byte[i], StoreFixture.Hour);
        }

        AssertAddsUp(fixture.Store.GetStatistics(), flushed: false);
        fixture.Store.FlushCache("other");
        AssertAddsUp(fixture.Store.GetStatistics(), flushed: true);
        fixture.Store.DeleteCache("cache");
        AssertAddsUp(fixture.Store.GetStatistics(), flushed: true);
    }

    private static void AssertAddsUp(StoreStatistics statistics, bool flushed)
    {
        Assert.Equal(flushed, statistics.FlushedBytes > 0);
        Assert.Equal(statistics.UsedMemoryBytes, statistics.Bytes + statistics.OverheadBytes + statistics.FragmentationBytes + statistics.FlushedBytes);
    }

    [Fact]
    public void Counts_never_decrease_after_flush_or_delete()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v");
        fixture.Get("k");
        fixture.Store.FlushCache("cache");
        Assert.Equal(1, fixture.Store.GetStatistics().Hits);
        fixture.Store.DeleteCache("cache");
        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.Equal((1, 1, 0), (statistics.Hits, statistics.Sets, statistics.Entries));
        Assert.Empty(statistics.Caches);
    }

    [Fact]
    public async Task Lookups_during_concurrent_flush_are_counted()
    {
        using var fixture = new StoreFixture();
        var flusher = Task.Run(() =>
        {
            for (int i = 0; i < 100_000; i++)
            {
                fixture.Store.FlushCache("cache");
            }
        });
        long lookups = 0;
        var buffer = new System.Buffers.ArrayBufferWriter<byte>();
        for (; !flusher.IsCompleted; lookups++)
        {
            fixture.Cache.TryGet("k"u8, buffer);
        }

        await flusher;
        Assert.Equal(lookups, fixture.Store.GetStatistics().Misses);
    }

    [Fact]
    public async Task Counts_from_concurrent_threads_add_up()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v");
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Factory.StartNew(
            () =>
            {
                var buffer = new System.Buffers.ArrayBufferWriter<byte>();
                for (int i = 0; i < 10_000; i++)
                {
                    buffer.ResetWrittenCount();
                    fixture.Cache.TryGet("k"u8, buffer);
                    fixture.Cache.TryGet("none"u8, buffer);
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default)));
        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.Equal((40_000, 40_000), (statistics.Hits, statistics.Misses));
    }
}
