using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Tests;

/// <summary>Tests F11: a write over the limit throws or evicts, and no entry is dropped silently.</summary>
public sealed class LimitTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Set_above_size_limit_throws_and_changes_nothing()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.MaxBytesInJsonCacheFile = 1000);
        cache.Set("key", new string('a', 500));
        long length = new FileInfo(_folder.CacheFile).Length;
        DistributedFileStoreCacheException thrown = Assert.Throws<DistributedFileStoreCacheException>(() => cache.Set("other", new string('b', 500)));
        Assert.Contains("1000", thrown.Message);
        Assert.Throws<DistributedFileStoreCacheException>(() => cache.SetMany([new("x", "1"), new("y", new string('b', 500))]));
        Assert.Null(cache.Get("other"));
        Assert.Null(cache.Get("x"));
        Assert.Equal(length, new FileInfo(_folder.CacheFile).Length);
        cache.Set("key", new string('c', 900));
        cache.Remove("key");
        cache.Set("other", new string('b', 900));
        cache.ClearAll([new("z", new string('d', 900))]);
        Assert.Equal(1, cache.Count);
    }

    [Fact]
    public async Task SetAsync_above_size_limit_throws()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.MaxBytes = 100);
        await Assert.ThrowsAsync<DistributedFileStoreCacheException>(() => cache.SetAsync("key", new string('a', 200)));
    }

    [Fact]
    public void Cache_with_calculated_limit_stores_the_given_number_of_entries()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.SetMaxBytesByCalculation(1000, 7, 37));
        for (int i = 0; i < 1000; i++)
        {
            cache.Set($"key{i:0000}", new string('v', 37));
        }
        Assert.Throws<DistributedFileStoreCacheException>(() => cache.Set("one more", new string('v', 37)));
        Assert.Equal(1000, cache.Count);
    }

    [Fact]
    public void Set_on_full_cache_evicts_old_entries_in_every_cache()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => (o.MaxBytes, o.WhenFull) = (10_000, FileStoreFullMode.Evict));
        using DistributedFileStoreCacheString other = _folder.Open(o => (o.MaxBytes, o.WhenFull) = (10_000, FileStoreFullMode.Evict));
        for (int i = 0; i < 1000; i++)
        {
            cache.Set("key" + i, new string('v', 100));
            Assert.NotNull(cache.Get("key" + i));
        }
        Assert.InRange(cache.Count, 50, 100);
        Assert.Equal(cache.GetAllKeyValues(), other.GetAllKeyValues());
        cache.Engine().AssertValid();
        Assert.Throws<DistributedFileStoreCacheException>(() => cache.Set("huge", new string('v', 20_000)));
        Assert.InRange(cache.Count, 50, 100);
    }

    [Fact]
    public void Entries_that_expire_soon_are_evicted_first()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => (o.MaxBytes, o.WhenFull) = (1500, FileStoreFullMode.Evict));
        for (int i = 0; i < 5; i++)
        {
            cache.Set("long" + i, new string('v', 100));
            cache.Set("short" + i, new string('v', 100), new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
        }
        for (int i = 0; i < 6; i++)
        {
            cache.Set("new" + i, new string('v', 100));
        }
        Assert.Equal(5, cache.GetByPrefix("long").Count);
        Assert.True(cache.GetByPrefix("short").Count < 5);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(9_000, false)]
    public void Set_above_line_limit_throws_and_changes_nothing(int beyond, bool isTaken)
    {
        using CacheEngine engine = _folder.Engine(s => s with { MaxLineBytes = 1000 });
        CacheFileHandler handler = new(engine);
        handler.SetKeyValue("key", "before");
        long length = engine.FileBytes;
        // {"k":"key","v":"…","c":"xxxxxxxx"} and the line feed: 34 bytes around the value.
        string value = new('v', 1000 - 34 + beyond);
        Exception? thrown = Record.Exception(() => handler.SetKeyValue("key", value));
        Assert.Equal(isTaken, thrown is null);
        Assert.Equal(isTaken ? length + 1000 : length, engine.FileBytes);
        Assert.Equal(isTaken ? value : "before", handler.GetValue("key"));
        if (!isTaken)
        {
            Assert.IsType<DistributedFileStoreCacheException>(thrown);
            Assert.Contains("1000", thrown.Message);
        }
    }

    [Fact]
    public void Scan_skips_data_without_line_feed_beyond_line_limit()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("before", "1");
        }
        byte[] tail = [.. Enumerable.Repeat((byte)'x', 3_000_000), (byte)'\n'];
        byte[] good = File.ReadAllBytes(_folder.CacheFile)[LogHeader.Bytes..];
        using (FileStream file = new(_folder.CacheFile, FileMode.Append))
        {
            file.Write(tail);
            file.Write(good);
        }
        using SafeFileHandle log = OpenFile.Try(_folder.CacheFile)!;
        CountingVisitor visitor = new();
        long end = LogScanner.Scan(log, LogHeader.Bytes, long.MaxValue, visitor, TailPolicy.DamagedLinesThenTorn, mostLineBytes: 1 << 20);
        Assert.Equal(new FileInfo(_folder.CacheFile).Length, end);
        Assert.Equal(2, visitor.Lines);
        Assert.InRange(visitor.DamagedBytes, 1, 2_000_000);
    }

    private sealed class CountingVisitor : LogVisitor
    {
        internal int Lines { get; private set; }

        internal long DamagedBytes { get; private set; }

        internal override void Accept(ref RecordReader record, long offset) => Lines++;

        internal override void Damaged(ReadOnlySpan<byte> region, long offset) => DamagedBytes += region.Length;
    }

    [Fact]
    public void Compaction_keeps_file_within_twice_its_live_bytes()
    {
        using CacheEngine engine = _folder.Engine(s => s with { CompactionFloorBytes = 10_000 });
        CacheFileHandler handler = new(engine);
        for (int i = 0; i < 5000; i++)
        {
            handler.SetKeyValue("key" + i % 10, "value" + i);
        }
        Until.True(() =>
        {
            handler.SetKeyValue("key", "more");
            return new FileInfo(_folder.CacheFile).Length < 15_000;
        });
        Assert.Equal("value4999", handler.GetValue("key9"));
        Assert.True(engine.Compactions > 0);
    }
}
