using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>
/// Tests a read-only cache: with an account without write access, at the same time as a writer, and with files that other programs have changed.
/// </summary>
public sealed class ReadOnlyTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Read(Action<DistributedFileStoreCacheOptions>? change = null) => _folder.Open(o =>
    {
        (o.ReadOnly, o.TimeProvider) = (true, _time);
        change?.Invoke(o);
    });

    private void Write(string key, string value)
    {
        using DistributedFileStoreCacheString writer = _folder.Open();
        writer.Set(key, value);
    }

    private void AdvanceOneSecond() => _time.Advance(TimeSpan.FromSeconds(1.1));

    /// <summary>Returns a line for each file with its name, modification time, mode and contents. The lines are ordered by name.</summary>
    private string[] Files() => [.. Directory.GetFiles(_folder.Path).Order(StringComparer.Ordinal)
        .Select(f => $"{f} {File.GetLastWriteTimeUtc(f).Ticks} {File.GetUnixFileMode(f)} {Convert.ToBase64String(File.ReadAllBytes(f))}")];

    [Fact]
    public void Account_without_write_access_reads_file_and_changes_nothing()
    {
        Write("key", "value");
        File.Delete(_folder.CacheFile + ".idx");
        using ReadOnlyFolder ward = new(_folder);
        string[] before = Files();
        using (Peer reader = ward.Start("readonly=true"))
        {
            Assert.Equal("value", reader.Do("get key"));
            Assert.Equal("1", reader.Do("count"));
            Assert.StartsWith("threw NotSupportedException", reader.Do("set key other"));
            Assert.StartsWith("threw NotSupportedException", reader.Do("compact"));
        }
        Assert.Equal(before, Files());
        using Peer refused = ward.StartUnready();
        Assert.Contains("ReadOnly", refused.ReadLine());
        Assert.Equal(before, Files());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Account_without_write_access_sees_changes_of_writer(bool mayReadTheSidecar)
    {
        using DistributedFileStoreCacheString writer = _folder.Open();
        writer.Set("key", "1");
        using ReadOnlyFolder ward = new(_folder, mayReadTheSidecar);
        using Peer reader = ward.Start("readonly=true", "poll=0");
        Assert.Equal("1", reader.Do("get key"));
        for (int i = 2; i < 50; i++)
        {
            writer.Set("key", i.ToString());
            if (i % 10 == 0)
            {
                writer.Engine().Compact();
                ward.Protect();
            }
            Assert.Equal(i.ToString(), reader.Do("get key"));
        }
        writer.ClearAll();
        Assert.Equal("(none)", reader.Do("get key"));
    }

    [Fact]
    public void Read_only_cache_neither_takes_nor_waits_for_locks()
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.LockTimeout = TimeSpan.Zero);
        writer.Set("key", "1");
        using DistributedFileStoreCacheString reader = Read();
        using (writer.Engine().HoldLock())
        {
            using DistributedFileStoreCacheString second = Read();
            Assert.Equal("1", second.Get("key"));
        }
        writer.Set("key", "2");
        Assert.Equal("2", reader.Get("key"));
        using Sidecar sidecar = Sidecar.Open(_folder.CacheFile + ".idx");
        writer.Dispose();
        Until.True(() => !sidecar.IsOpenElsewhere);
    }

    [Fact]
    public void Read_only_cache_rejects_every_change()
    {
        Write("key", "value");
        using DistributedFileStoreCacheString cache = Read();
        using DistributedFileStoreCacheBytes bytes = new(cache);
        string[] before = Files();
        Action[] changes =
        [
            () => cache.Set("key", "other"),
            () => cache.SetMany([new("a", "1"), new("b", "2")]),
            () => cache.Remove("key"),
            () => cache.RemoveMany(["key"]),
            () => cache.RemoveByPrefix("k"),
            () => cache.ClearAll(),
            () => cache.CompareAndSet("key", "value", "other"),
            () => cache.Refresh("key"),
            () => cache.GetOrCreate("none", _ => throw new InvalidOperationException("The factory is not asked.")),
            () => cache.Handler.Compact(),
            () => bytes.Set("key", [1], new()),
            () => bytes.Refresh("key"),
            () => cache.SetAsync("key", "other").GetAwaiter().GetResult(),
            () => cache.RefreshAsync("key").GetAwaiter().GetResult(),
            () => cache.GetOrCreateAsync("none", (_, _) => throw new InvalidOperationException("The factory is not asked.")).GetAwaiter().GetResult(),
        ];
        Assert.All(changes, c => Assert.Contains("ReadOnly", Assert.Throws<NotSupportedException>(c).Message));
        Assert.Equal("value", cache.GetOrCreate("key", _ => "other"));
        Assert.Equal("value"u8.ToArray(), bytes.Get("key"));
        Assert.Equal(["key"], cache.GetAllKeyValues().Keys);
        Assert.Equal(1, cache.Status.Entries);
        Assert.Null(cache.Status.Fault);
        Assert.Equal(before, Files());
    }

    [Fact]
    public void Read_only_open_of_missing_file_fails_and_creates_nothing()
    {
        string folder = Path.Combine(_folder.Path, "none");
        Assert.Contains("does not exist", Assert.Throws<DistributedFileStoreCacheException>(() => Read(o => o.PathToCacheFileDirectory = folder)).Message);
        Assert.False(Directory.Exists(folder));
        Assert.Throws<DistributedFileStoreCacheException>(() => Read());
        Assert.Empty(Files());
    }

    [Theory]
    [InlineData("")]
    [InlineData("precious\n")]
    [InlineData("{\"fsc\":2,\"something\":\"newer\"}\n")]
    public void Read_only_open_rejects_foreign_file_and_keeps_it(string content)
    {
        File.WriteAllText(_folder.CacheFile, content);
        string[] before = Files();
        Assert.Contains(_folder.CacheFile, Assert.Throws<DistributedFileStoreCacheException>(() => Read()).Message);
        Assert.Equal(before, Files());
    }

    [Fact]
    public void Read_only_cache_reads_truncated_file_to_last_complete_line()
    {
        Write("first", "1");
        Write("second", "2");
        _folder.Cut(new FileInfo(_folder.CacheFile).Length - 5);
        string[] before = Files();
        using DistributedFileStoreCacheString cache = Read();
        Assert.Equal("1", cache.Get("first"));
        Assert.Null(cache.Get("second"));
        AdvanceOneSecond();
        Assert.Equal(before, Files());
    }

    [Fact]
    public void Read_only_cache_saves_no_copy_of_damaged_line()
    {
        Write("key", "value");
        Write("other", "value");
        byte[] bytes = File.ReadAllBytes(_folder.CacheFile);
        bytes[LogHeader.Bytes + 14] ^= 1;
        File.WriteAllBytes(_folder.CacheFile, bytes);
        string[] before = Files();
        using DistributedFileStoreCacheString cache = Read();
        Assert.Null(cache.Get("key"));
        Assert.Equal("value", cache.Get("other"));
        Assert.Equal(1, cache.Status.DamagedLines);
        Assert.Equal(before, Files());
    }

    [Fact]
    public void Read_only_cache_sees_edited_file_within_a_second()
    {
        Write("key", "value");
        using DistributedFileStoreCacheString cache = Read();
        string text = File.ReadAllText(_folder.CacheFile);
        foreach (
            string edited in (string[])
                [text.Replace("value", "longer value"), text.Replace("value", "other"), text.Replace("          ", "").Replace("value", "trimmed")])
        {
            File.WriteAllText(_folder.CacheFile, edited);
            string[] before = Files();
            AdvanceOneSecond();
            Assert.Equal(edited.Split("\"v\":\"")[1].Split('"')[0], cache.Get("key"));
            Assert.Equal(before, Files());
            using DistributedFileStoreCacheString opened = Read();
            Assert.Equal(cache.GetAllKeyValues(), opened.GetAllKeyValues());
        }
        Assert.Null(cache.Status.Fault);
    }

    [Fact]
    public void Read_only_cache_is_empty_from_file_deletion_until_recreation()
    {
        Write("key", "value");
        using DistributedFileStoreCacheString cache = Read();
        File.Delete(_folder.CacheFile);
        File.Delete(_folder.CacheFile + ".idx");
        AdvanceOneSecond();
        AdvanceOneSecond();
        Assert.Null(cache.Get("key"));
        Assert.Empty(Files());
        Assert.Contains("deleted", cache.Status.LastFault);
        using DistributedFileStoreCacheString writer = _folder.Open();
        writer.Set("after", "1");
        AdvanceOneSecond();
        Assert.Equal("1", cache.Get("after"));
        writer.Set("after", "2");
        Assert.Equal("2", cache.Get("after"));
    }

    [Fact]
    public void Read_only_cache_keeps_entries_when_file_is_briefly_missing_twice()
    {
        Write("key", "value");
        using DistributedFileStoreCacheString cache = Read();
        string aside = _folder.CacheFile + ".moved";
        for (int times = 0; times < 2; times++)
        {
            File.Move(_folder.CacheFile, aside);
            AdvanceOneSecond();
            Assert.Equal("value", cache.Get("key"));
            File.Move(aside, _folder.CacheFile);
            AdvanceOneSecond();
            Assert.Equal("value", cache.Get("key"));
        }
    }

    [Fact]
    public void Read_only_cache_reads_from_memory_after_file_is_overwritten()
    {
        Write("key", "value");
        using DistributedFileStoreCacheString cache = Read();
        File.WriteAllText(_folder.CacheFile, "precious\n");
        AdvanceOneSecond();
        Assert.Equal("value", cache.Get("key"));
        Assert.Contains("not written by this library", cache.Status.LastFault);
        Assert.NotNull(cache.Status.Fault);
        Assert.Equal("precious\n", File.ReadAllText(_folder.CacheFile));
    }

    [Fact]
    public void Reads_of_read_only_cache_do_not_extend_sliding_entries()
    {
        using (DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = _time))
        {
            writer.Set("absolute", "1", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(30) });
            writer.Set("sliding", "1", new() { SlidingExpiration = TimeSpan.FromSeconds(30) });
        }
        using DistributedFileStoreCacheString cache = Read();
        _time.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal("1", cache.Get("sliding"));
        Assert.Equal("1", cache.Get("absolute"));
        _time.Advance(TimeSpan.FromSeconds(20));
        Assert.Null(cache.Get("sliding"));
        Assert.Null(cache.Get("absolute"));
        Assert.Equal(0, cache.Count);
    }

    [Fact]
    public void Read_only_cache_sees_changes_of_polled_file()
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => (o.Coherence, o.PollInterval) = (FileStoreCoherence.Polled, TimeSpan.Zero));
        writer.Set("key", "1");
        using DistributedFileStoreCacheString cache = Read(o => o.PollInterval = TimeSpan.Zero);
        Assert.True(cache.Status.IsPolled);
        Assert.Equal("1", cache.Get("key"));
        writer.Set("key", "2");
        Assert.Equal("2", cache.Get("key"));
        writer.Engine().Compact();
        writer.Set("key", "3");
        Assert.Equal("3", cache.Get("key"));
    }
}
