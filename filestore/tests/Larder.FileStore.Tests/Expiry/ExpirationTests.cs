using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

public sealed class ExpirationTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => o.TimeProvider = _time);

    private static DistributedCacheEntryOptions In(double seconds) => new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(seconds) };

    private static DistributedCacheEntryOptions Sliding(double seconds, double? cap = null) => new()
    {
        SlidingExpiration = TimeSpan.FromSeconds(seconds),
        AbsoluteExpirationRelativeToNow = cap is null ? null : TimeSpan.FromSeconds(cap.Value),
    };

    [Fact]
    public void Entry_expires_exactly_at_its_expiration_time_in_every_process()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value", In(10));
        _time.Advance(TimeSpan.FromMilliseconds(9_999));
        Assert.Equal("value", a.Get("key"));
        Assert.Equal("value", b.Get("key"));
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(a.Get("key"));
        Assert.Null(b.Get("key"));
        Assert.Empty(a.GetAllKeyValues());
        Assert.Equal(0, b.Count);
    }

    [Fact]
    public void Set_replaces_value_and_expiration()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value", In(10));
        cache.Set("key", "kept");
        _time.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal("kept", cache.Get("key"));
    }

    [Fact]
    public void Relative_expiration_takes_precedence_over_absolute()
    {
        using DistributedFileStoreCacheString cache = Open();
        DistributedCacheEntryOptions both = In(10);
        both.AbsoluteExpiration = _time.GetUtcNow().AddSeconds(100);
        cache.Set("key", "value", both);
        _time.Advance(TimeSpan.FromSeconds(11));
        Assert.Null(cache.Get("key"));
    }

    [Fact]
    public void Set_rejects_absolute_expiration_that_is_not_in_future()
    {
        using DistributedFileStoreCacheString cache = Open();
        Assert.Throws<ArgumentOutOfRangeException>(() => cache.Set("key", "value", new() { AbsoluteExpiration = _time.GetUtcNow() }));
        Assert.Null(cache.Get("key"));
    }

    [Fact]
    public void Maximum_expiration_does_not_overflow()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value", new() { AbsoluteExpirationRelativeToNow = TimeSpan.MaxValue, SlidingExpiration = TimeSpan.MaxValue });
        _time.Jump(TimeSpan.FromDays(1000));
        Assert.Equal("value", cache.Get("key"));
    }

    [Fact]
    public void Read_extends_sliding_entry_for_all_processes()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value", Sliding(10));
        for (int i = 0; i < 10; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(4));
            Assert.Equal("value", a.Get("key"));
            _time.Advance(TimeSpan.FromSeconds(1));
        }
        Assert.Equal("value", b.Get("key"));
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(a.Get("key"));
        Assert.Null(b.Get("key"));
    }

    [Fact]
    public void Absolute_expiration_limits_sliding_entry()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value", Sliding(10, cap: 25));
        for (int i = 0; i < 24; i += 4)
        {
            Assert.Equal("value", cache.Get("key"));
            _time.Advance(TimeSpan.FromSeconds(4));
        }
        cache.Refresh("key");
        Assert.Equal("value", cache.Get("key"));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(cache.Get("key"));
    }

    [Fact]
    public void Refresh_extends_only_sliding_entries()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("sliding", "value", Sliding(10));
        cache.Set("absolute", "value", In(10));
        _time.Advance(TimeSpan.FromSeconds(9));
        cache.Refresh("sliding");
        cache.Refresh("absolute");
        cache.Refresh("none");
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal("value", cache.Get("sliding"));
        Assert.Null(cache.Get("absolute"));
    }

    [Fact]
    public void Read_of_old_value_does_not_extend_lifetime_of_replacement()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("again", "old", Sliding(100));
        a.Set("other", "value", Sliding(100));
        _time.Advance(TimeSpan.FromSeconds(6));
        a.Get("again");
        a.Get("other");
        b.Set("again", "new", Sliding(10));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, a.Engine().QueuedTouches);
        using DistributedFileStoreCacheString fresh = Open();
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.Null(a.Get("again"));
        Assert.Null(b.Get("again"));
        Assert.Null(fresh.Get("again"));
        Assert.Equal("value", b.Get("other"));
    }

    [Fact]
    public void Repeated_reads_while_lock_is_held_queue_only_one_extension()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value", Sliding(10));
        using (b.Engine().HoldLock())
        {
            for (int i = 0; i < 20; i++)
            {
                _time.Advance(TimeSpan.FromSeconds(1));
                Assert.Equal("value", a.Get("key"));
            }
            Assert.Equal(1, a.Engine().QueuedTouches);
        }
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, a.Engine().QueuedTouches);
    }

    [Fact]
    public void Frequent_reads_of_sliding_entry_cause_few_writes()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value", Sliding(1200));
        long length = new FileInfo(_folder.CacheFile).Length;
        int writes = 0;
        for (int i = 0; i < 1200; i++)
        {
            Assert.Equal("value", cache.Get("key"));
            _time.Advance(TimeSpan.FromSeconds(1));
            long now = new FileInfo(_folder.CacheFile).Length;
            // Only growth counts as a write, because a concurrent compaction can make the file shorter.
            writes += now > length ? 1 : 0;
            length = now;
        }
        Assert.InRange(writes, 5, 25);
    }

    [Fact]
    public void Sliding_expiration_survives_reopen_and_compaction()
    {
        using (DistributedFileStoreCacheString cache = Open())
        {
            cache.Set("key", "value", Sliding(100, cap: 500));
            _time.Advance(TimeSpan.FromSeconds(90));
            Assert.Equal("value", cache.Get("key"));
            Assert.True(cache.Engine().Compact());
        }
        _time.Advance(TimeSpan.FromSeconds(90));
        using DistributedFileStoreCacheString again = Open();
        Assert.Equal("value", again.Get("key"));
        _time.Advance(TimeSpan.FromSeconds(101));
        Assert.Null(again.Get("key"));
    }

    [Fact]
    public void Next_write_removes_expired_entry_from_memory()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("short", "value", In(10));
        _time.Advance(TimeSpan.FromSeconds(10));
        long before = cache.Engine().LiveBytes;
        cache.Set("other", "x");
        Assert.True(cache.Engine().LiveBytes < before);
        cache.Engine().AssertValid();
    }

    [Fact]
    public void File_of_mostly_expired_entries_is_compacted_within_a_minute()
    {
        using DistributedFileStoreCacheString cache = Open();
        using DistributedFileStoreCacheString idle = Open();
        for (int i = 0; i < 10; i++)
        {
            cache.Set("short" + i, "value", In(10));
        }
        cache.Set("kept", "value");
        _time.Advance(TimeSpan.FromSeconds(10));
        _time.Advance(TimeSpan.FromSeconds(50));
        Until.True(() => !File.ReadAllText(_folder.CacheFile).Contains("short"));
        Assert.Equal("value", idle.Get("kept"));
        Assert.Equal("value", cache.Get("kept"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void Caches_opened_before_and_after_clock_change_agree_on_expiry(int sign)
    {
        using DistributedFileStoreCacheString running = Open();
        running.Set("key", "value", In(600));
        running.Set("sliding", "value", Sliding(600));
        _time.SetWall(sign * TimeSpan.FromSeconds(300));
        _time.Advance(TimeSpan.FromSeconds(1));
        using DistributedFileStoreCacheString opened = Open();
        _time.Advance(TimeSpan.FromSeconds(298));
        Assert.Equal("value", running.Get("key"));
        Assert.Equal("value", opened.Get("key"));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(opened.Get("key"), running.Get("key"));
        Assert.Equal(sign > 0, running.Get("key") is null);
        _time.Advance(TimeSpan.FromSeconds(600));
        Assert.Null(running.Get("key"));
        Assert.Null(opened.Get("key"));
    }

    [Fact]
    public void Entry_expires_when_cache_uses_system_clock()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using DistributedFileStoreCacheString other = _folder.Open();
        cache.Set("key", "value", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromMilliseconds(300) });
        Until.True(() => cache.Get("key") is null && other.Get("key") is null);
    }
}
