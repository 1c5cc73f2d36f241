using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Tests a file that is truncated or overwritten in place and keeps its inode, as with a shell's <c>&gt; file</c> and many editors.</summary>
public sealed class InPlaceChangeTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();
    private readonly LogSpy _log = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => (o.TimeProvider, o.LoggerFactory) = (_time, _log));

    private void Overwrite(ReadOnlySpan<byte> content)
    {
        using FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        file.SetLength(0);
        file.Write(content);
    }

    [Fact]
    public void File_emptied_in_place_is_rebuilt_by_next_write()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        Overwrite([]);
        a.Set("after", "1");
        using DistributedFileStoreCacheString fresh = Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[a, b, fresh])
        {
            Assert.Equal("value", cache.Get("key"));
            Assert.Equal("1", cache.Get("after"));
        }
        Assert.Equal(1, _log.Warnings);
    }

    [Theory]
    [InlineData("precious\n")]
    [InlineData("{\"fsc\":1,\"id\":\"00\",\"gen\"")]
    public void File_overwritten_in_place_is_saved_and_rebuilt_by_write(string content)
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        Assert.Equal("value", b.Get("key"));
        Overwrite(System.Text.Encoding.UTF8.GetBytes(content));
        b.Set("after", "1");
        using DistributedFileStoreCacheString fresh = Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[a, b, fresh])
        {
            Assert.Equal("value", cache.Get("key"));
            Assert.Equal("1", cache.Get("after"));
        }
        string aside = Assert.Single(Directory.GetFiles(_folder.Path, "*.aside-*"));
        Assert.Equal(content, File.ReadAllText(aside));
        Assert.Equal(1, _log.Warnings);
    }

    [Fact]
    public void Process_with_all_entries_in_memory_rebuilds_overwritten_file()
    {
        using DistributedFileStoreCacheString a = _folder.Open();
        using DistributedFileStoreCacheString b = _folder.Open();
        a.Set("key", "value");
        Overwrite("precious\n"u8);
        b.Set("after", "1");
        Assert.Equal("value", b.Get("key"));
        Assert.Equal("1", a.Get("after"));
    }

    [Fact]
    public void Foreign_file_larger_than_cache_file_is_saved_aside_unchanged()
    {
        using DistributedFileStoreCacheString a = Open();
        a.Set("key", "value");
        Overwrite(System.Text.Encoding.UTF8.GetBytes(new string('x', 5000)));
        a.Set("after", "1");
        string aside = Assert.Single(Directory.GetFiles(_folder.Path, "*.aside-*"));
        Assert.Equal(new string('x', 5000), File.ReadAllText(aside));
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("value", fresh.Get("key"));
        Assert.Equal("1", fresh.Get("after"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void File_truncated_in_place_keeps_its_remaining_entries(bool aSecondPasses)
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("first", "1");
        long length = new FileInfo(_folder.CacheFile).Length;
        a.Set("second", "2");
        _folder.Cut(length);
        if (aSecondPasses)
        {
            _time.Advance(TimeSpan.FromSeconds(1.1));
        }
        (aSecondPasses ? b : a).Set("third", "3");
        using DistributedFileStoreCacheString fresh = Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[a, b, fresh])
        {
            Assert.Equal("1", cache.Get("first"));
            Assert.Null(cache.Get("second"));
            Assert.Equal("3", cache.Get("third"));
            Assert.Equal(0, cache.Status.DamagedLines);
        }
        // Each of the two caches that had the file open logs one warning.
        Assert.Equal(2, _log.Warnings);
    }

    [Fact]
    public void Reader_of_truncated_file_reads_from_memory_and_reports_fault()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "1");
        Assert.Equal("1", b.Get("key"));
        long length = new FileInfo(_folder.CacheFile).Length;
        a.Set("key", "2");
        _folder.Cut(length);
        Assert.Equal(("1", "1"), (b.Get("key"), b.Get("key")));
        Assert.Equal(1, b.Status.Faults);
        Assert.Contains("does not contain all committed data", b.Status.LastFault);
        Assert.Contains("served from memory", b.Status.Fault);
    }

    [Fact]
    public void File_truncated_after_compaction_keeps_its_remaining_entries()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("first", "1");
        Assert.Equal("1", b.Get("first"));
        a.Engine().Compact();
        a.Set("second", "2");
        _folder.Cut(new FileInfo(_folder.CacheFile).Length - 5);
        b.Set("third", "3");
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[a, b])
        {
            Assert.Equal("1", cache.Get("first"));
            Assert.Equal("3", cache.Get("third"));
        }
    }

    [Fact]
    public void File_replaced_by_rename_is_detected_by_next_write()
    {
        using DistributedFileStoreCacheString a = Open();
        a.Set("key", "old");
        string copy = Path.Combine(_folder.Path, "copy");
        File.Copy(_folder.CacheFile, copy);
        a.Set("key", "new");
        File.Move(copy, _folder.CacheFile, overwrite: true);
        a.Set("after", "1");
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("after"));
        Assert.Equal("old", fresh.Get("key"));
    }

    [Fact]
    public void Moved_file_receives_no_more_writes()
    {
        using DistributedFileStoreCacheString a = Open();
        a.Set("key", "old");
        string away = Path.Combine(_folder.Path, "away");
        File.Move(_folder.CacheFile, away);
        long length = new FileInfo(away).Length;
        a.Set("after", "1");
        Assert.Equal(length, new FileInfo(away).Length);
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void Opening_an_overwritten_file_does_not_stop_running_writers()
    {
        using DistributedFileStoreCacheString running = Open();
        running.Set("key", "value");
        Overwrite("precious\n"u8);
        Exception? refused = Record.Exception(() => Open().Dispose());
        running.Set("after", "1");
        Assert.Equal("1", running.Get("after"));
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("after"));
        Assert.Equal("precious\n", File.ReadAllText(Assert.Single(Directory.GetFiles(_folder.Path, "*.aside-*"))));
        Assert.Null(refused);
    }

    [Fact]
    public void No_write_after_deletion_of_folder_is_lost()
    {
        string folder = Path.Combine(_folder.Path, "deep");
        void Configure(DistributedFileStoreCacheOptions o) => (o.PathToCacheFileDirectory, o.TimeProvider, o.LoggerFactory) = (folder, _time, _log);
        using DistributedFileStoreCacheString cache = _folder.Open(Configure);
        cache.Set("key", "value");
        Directory.Delete(folder, recursive: true);
        for (int i = 0; i < 100; i++)
        {
            cache.Set("after" + i, "1");
        }
        using DistributedFileStoreCacheString fresh = _folder.Open(Configure);
        Assert.Equal(100, fresh.GetByPrefix("after").Count);
        Assert.Equal(1, _log.Warnings);
    }

    [Fact]
    public void No_write_after_deletion_of_sidecar_is_lost()
    {
        using DistributedFileStoreCacheString a = Open();
        a.Set("key", "value");
        File.Delete(_folder.CacheFile + ".idx");
        using DistributedFileStoreCacheString b = Open();
        a.Set("from a", "1");
        b.Set("from b", "1");
        a.Set("from a", "2");
        Assert.Equal("2", b.Get("from a"));
        Assert.Equal("1", a.Get("from b"));
    }

    [Fact]
    public void Compaction_keeps_foreign_file_renamed_over_cache_file()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        string foreign = Path.Combine(_folder.Path, "foreign");
        File.WriteAllText(foreign, "precious\n");
        File.Move(foreign, _folder.CacheFile, overwrite: true);
        Record.Exception(() => cache.Engine().Compact());
        Assert.Contains(Directory.GetFiles(_folder.Path).Where(f => !f.EndsWith(".idx")), f => File.ReadAllText(f) == "precious\n");
        cache.Set("after", "1");
        Assert.Equal("value", cache.Get("key"));
    }

    [Fact]
    public void Replaced_sidecars_leak_no_file_descriptors()
    {
        using DistributedFileStoreCacheString cache = Open();
        for (int i = 0; i < 60; i++)
        {
            File.Delete(_folder.CacheFile + ".idx");
            _time.Advance(TimeSpan.FromSeconds(1.1));
            cache.Set("key", i.ToString());
        }
        int open = Directory
            .GetFiles("/proc/self/fd")
            .Count(f => new FileInfo(f).LinkTarget?.StartsWith(_folder.CacheFile + ".idx", StringComparison.Ordinal) == true);
        Assert.InRange(open, 1, 3);
        Assert.Equal("59", cache.Get("key"));
    }
}
