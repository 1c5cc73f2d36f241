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
    public void However_much_is_written_a_cache_holds_no_more_than_its_quota_and_evicts_only_itself(int times)
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
    public void At_its_quota_nothing_is_evicted_and_one_entry_past_it_one_goes()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Fill(_limited, room);
        Assert.Equal((room, 0), (Of(_limited).Entries, Of(_limited).Evictions.Quota));
        Fill(_limited, 1, from: room);
        Assert.Equal((room, 1), (Of(_limited).Entries, Of(_limited).Evictions.Quota));
    }

    [Fact]
    public void What_is_read_stays_rather_than_what_is_not()
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
    public void An_item_of_the_largest_size_fits_and_pushes_only_its_own_cache_out()
    {
        Fill(_fixture.Cache, 1_000);
        Fill(_limited, 10_000);
        _limited.Set("large"u8, new byte[_fixture.Store.MaxItemBytes - 5], StoreFixture.Hour);
        _limited.Set("large 2"u8, new byte[_fixture.Store.MaxItemBytes - 7], StoreFixture.Hour);
        Assert.True(Of(_limited).Bytes <= _limited.MaxBytes);
        Assert.Equal(1_000, Of(_fixture.Cache).Entries);
    }

    [Fact]
    public void A_flush_gives_the_whole_quota_back_at_once()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Fill(_limited, room);
        Assert.True(_fixture.Store.FlushCache("limited"));
        Fill(_limited, room);
        Assert.Equal((room, 0), (Of(_limited).Entries, Of(_limited).Evictions.Quota));
    }

    [Fact]
    public void Growing_values_increments_and_conditional_sets_keep_it_too()
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
    public void Threads_that_write_at_once_leave_no_more_than_the_quota()
    {
        int room = (int)(_limited.MaxBytes / EntryBytes);
        Parallel.For(0, 4, thread => Fill(_limited, room, from: thread * room));
        Assert.InRange(Of(_limited).Entries, room * 9L / 10, room);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void A_quota_below_the_least_is_refused(long difference)
    {
        long maxBytes = difference < 0 ? -1 : 1;
        Assert.Throws<ArgumentOutOfRangeException>(() => _fixture.Store.CreateCache("small", maxBytes));
        Assert.Throws<ArgumentOutOfRangeException>(() => _fixture.Store.CreateCache("small", _fixture.Store.MinQuotaBytes - 1));
        Assert.Null(_fixture.Store.Find("small"));
        Assert.True(_fixture.Store.CreateCache("least", _fixture.Store.MinQuotaBytes));
    }

    [Fact]
    public void A_quota_larger_than_the_memory_changes_nothing()
    {
        _fixture.Store.CreateCache("vast", long.MaxValue);
        Cache vast = _fixture.Store.Find("vast")!;
        Fill(vast, 1_000_000);
        Assert.Equal(0, Of(vast).Evictions.Quota);
        Assert.True(Of(vast).Evictions.Memory > 0);
    }

    [Fact]
    public void A_write_that_evicts_looks_at_a_bounded_number_of_entries_in_one_hold_of_the_lock()
    {
        Fill(_fixture.Cache, 200_000);
        Fill(_limited, 2 * (int)(_limited.MaxBytes / EntryBytes));
        Assert.True(_fixture.Store.MostWork <= 600, $"{_fixture.Store.MostWork}");
    }
}
