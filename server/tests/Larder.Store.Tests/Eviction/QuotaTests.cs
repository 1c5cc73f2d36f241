namespace Larder.Store.Tests;

public sealed class QuotaTests : IDisposable
{
    private const long Quota = 4 << 20;
    private const int ValueBytes = 100;

    // The size of an entry with a 12-byte key and a 100-byte value, including its header.
    private const int EntryBytes = 136;

    private readonly StoreFixture _fixture = new(shards: 4);
    private readonly Cache _limited;

    public QuotaTests()
    {
        Assert.True(_fixture.Store.CreateCache("limited", Math.Max(Quota, _fixture.Store.MinQuotaBytes)));
        _limited = _fixture.Store.Find("limited")!;
    }

    public void Dispose() => _fixture.Dispose();

    private CacheStatistics Of(Cache cache) => _fixture.Store.GetStatistics().Caches.Single(each => each.Name == cache.Name);

    private static void Fill(Cache cache, int entries, int from = 0, int valueBytes = ValueBytes)
    {
        byte[] value = new byte[valueBytes];
        for (int i = from; i < from + entries; i++)
        {
            cache.Set(StoreFixture.Bytes($"key-{i:D8}"), value, StoreFixture.Hour);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    public void Cache_stays_within_quota_and_evicts_only_its_own_entries(int times)
    {
        Fill(_fixture.Cache, 20_000);
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Fill(_limited, room * times);
        CacheStatistics limited = Of(_limited);
        Assert.InRange(limited.Entries, times == 1 ? room * 9L / 10 : room * 95L / 100, room);
        Assert.Equal(room * (long)times - limited.Entries, limited.Evictions.Quota);
        Assert.Equal(0, limited.Evictions.Memory);
        Assert.Equal((20_000, default(EvictionStatistics)), (Of(_fixture.Cache).Entries, Of(_fixture.Cache).Evictions));
    }

    [Fact]
    public void Cache_at_quota_evicts_one_entry_per_new_entry()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Fill(_limited, room);
        Assert.Equal((room, 0), (Of(_limited).Entries, Of(_limited).Evictions.Quota));
        Fill(_limited, 1, from: room);
        Assert.Equal((room, 1), (Of(_limited).Entries, Of(_limited).Evictions.Quota));
    }

    [Fact]
    public void Entries_that_are_read_survive_quota_eviction()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Fill(_limited, room / 2);
        for (int i = 0; i < 8 * room; i++)
        {
            Fill(_limited, 1, from: room + i);
            Assert.Equal(i % 4 == 0, i % 4 == 0 && StoreFixture.Get(_limited, $"key-{i / 4 % 1_000:D8}") is not null);
        }
    }

    [Fact]
    public void Largest_item_evicts_only_entries_of_its_own_cache()
    {
        Fill(_fixture.Cache, 1_000);
        Fill(_limited, 10_000);
        _limited.Set("large"u8, new byte[_fixture.Store.MaxItemBytes - 5], StoreFixture.Hour);
        _limited.Set("large 2"u8, new byte[_fixture.Store.MaxItemBytes - 7], StoreFixture.Hour);
        Assert.True(Of(_limited).Bytes <= _limited.MaxBytes);
        Assert.Equal(1_000, Of(_fixture.Cache).Entries);
    }

    [Fact]
    public void Flush_frees_whole_quota_immediately()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Fill(_limited, room);
        Assert.True(_fixture.Store.FlushCache("limited"));
        Fill(_limited, room);
        Assert.Equal((room, 0), (Of(_limited).Entries, Of(_limited).Evictions.Quota));
    }

    [Fact]
    public void Quota_holds_for_growing_values_increments_and_conditional_writes()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Fill(_limited, room);
        Fill(_limited, room / 4, valueBytes: 4 * ValueBytes);
        for (int i = 0; i < 1_000; i++)
        {
            _limited.Increment(StoreFixture.Bytes($"count-{i}"), 1, StoreFixture.Hour, out _);
            _limited.SetIf(StoreFixture.Bytes($"absent-{i}"), new byte[ValueBytes], StoreFixture.Hour, SetCondition.Absent);
        }

        CacheStatistics limited = Of(_limited);
        Assert.True(limited.Bytes + (limited.Entries * EntryHeader.Bytes) <= _limited.MaxBytes);
        Assert.True(limited.Evictions.Quota > 0);
    }

    [Fact]
    public void Quota_holds_with_concurrent_writers()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Parallel.For(0, 4, thread => Fill(_limited, room, from: thread * room));
        Assert.InRange(Of(_limited).Entries, room * 9L / 10, room);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void CreateCache_rejects_quota_below_minimum(long difference)
    {
        long maxBytes = difference < 0 ? -1 : 1;
        Assert.Throws<ArgumentOutOfRangeException>(() => _fixture.Store.CreateCache("small", maxBytes));
        Assert.Throws<ArgumentOutOfRangeException>(() => _fixture.Store.CreateCache("small", _fixture.Store.MinQuotaBytes - 1));
        Assert.Null(_fixture.Store.Find("small"));
        Assert.True(_fixture.Store.CreateCache("least", _fixture.Store.MinQuotaBytes));
    }

    [Fact]
    public void Quota_above_memory_limit_has_no_effect()
    {
        _fixture.Store.CreateCache("vast", long.MaxValue);
        Cache vast = _fixture.Store.Find("vast")!;
        Fill(vast, 1_000_000);
        Assert.Equal(0, Of(vast).Evictions.Quota);
        Assert.True(Of(vast).Evictions.Memory > 0);
    }

    [Fact]
    public void Write_that_evicts_for_quota_does_bounded_work()
    {
        Fill(_fixture.Cache, 200_000);
        Fill(_limited, 2 * (int)(_limited.MaxBytes / EntryBytes));
        Assert.True(_fixture.Store.MaxWork <= 600, $"{_fixture.Store.MaxWork}");
    }
}
