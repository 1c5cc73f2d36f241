using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>The file truncated or overwritten in place, with the same inode, as by a shell's <c>&gt; file</c> and many editors.</summary>
public sealed class InPlaceTests : IDisposable
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
    public void A_file_emptied_in_place_is_rebuilt_by_the_very_next_write_and_nothing_is_lost()
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
    public void A_file_overwritten_in_place_is_kept_aside_and_rebuilt_by_the_very_next_write(string content)
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
    public void A_writer_that_had_not_read_all_of_an_overwritten_file_leaves_it_to_one_that_had()
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
    public void A_file_overwritten_with_more_than_it_held_is_not_written_into()
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
    public void A_file_cut_short_in_place_is_what_it_still_holds_at_the_very_next_write_and_within_a_second(bool aSecondPasses)
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
        // Each of the two caches that had it open logs one warning.
        Assert.Equal(2, _log.Warnings);
    }

    [Fact]
    public void Who_can_not_read_what_was_committed_answers_from_memory_and_says_a_fault_once()
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
    public void A_file_cut_short_after_a_compaction_that_a_writer_had_not_read_is_what_it_still_holds()
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
    public void A_file_renamed_over_is_noticed_by_the_very_next_write()
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
    public void A_file_moved_away_gets_no_more_lines()
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
    public void Opening_a_file_that_was_overwritten_does_not_stop_the_writers_that_run()
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
    public void Nothing_written_after_the_folder_was_deleted_is_lost()
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
    public void Nothing_written_after_the_sidecar_was_deleted_is_lost()
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
    public void A_compaction_leaves_a_foreign_file_alone_that_was_renamed_into_the_caches_place()
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
    public void Sidecars_that_were_replaced_keep_no_descriptors()
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
