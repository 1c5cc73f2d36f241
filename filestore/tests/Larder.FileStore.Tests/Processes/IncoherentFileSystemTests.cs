using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Tests F8 with file systems on which processes cannot share memory and locks.</summary>
public sealed class IncoherentFileSystemTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => (o.Coherence, o.TimeProvider) = (FileStoreCoherence.Polled, _time));

    [Fact]
    public void Incoherent_file_system_is_polled_or_rejected()
    {
        using (CacheEngine polled = _folder.Engine(s => s with { Probe = _ => false }))
        {
            Assert.True(polled.IsPolled);
            Assert.False(File.Exists(_folder.CacheFile + ".idx"));
        }
        Assert.Contains("Coherence = Local", Assert.Throws<DistributedFileStoreCacheException>(
            () => _folder.Engine(s => s with { Probe = _ => false, Coherence = FileStoreCoherence.Local })).Message);
    }

    [Fact]
    public void FileSystemProbe_reports_test_folder_as_coherent() => Assert.True(FileSystemProbe.IsCoherent(_folder.Path));

    [Fact]
    public void Probe_reports_proc_file_system_as_incoherent() => Assert.False(FileSystemProbe.IsCoherent("/proc"));

    [Fact]
    public void Write_is_visible_to_other_processes_after_poll_interval()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        Assert.Equal("value", a.Get("key"));
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("value", b.Get("key"));
        b.Set("key", "new");
        b.Set("second", "x");
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("new", a.Get("key"));
        Assert.Equal("x", a.Get("second"));
        a.Engine().AssertValid();
    }

    [Fact]
    public void Compaction_is_visible_to_other_processes_after_poll_interval()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        for (int i = 0; i < 100; i++)
        {
            a.Set("key" + i % 10, i.ToString());
        }
        Assert.True(a.Engine().Compact());
        a.Set("after", "1");
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("99", b.Get("key9"));
        Assert.Equal("1", b.Get("after"));
        b.Set("key9", "from b");
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("from b", a.Get("key9"));
    }

    [Fact]
    public void Readers_ignore_partial_line_and_next_writer_removes_it()
    {
        using DistributedFileStoreCacheString a = Open();
        a.Set("key", "value");
        using (FileStream file = new(_folder.CacheFile, FileMode.Append, FileAccess.Write, FileShare.ReadWrite))
        {
            file.Write("{\"k\":\"torn"u8);
        }
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("value", a.Get("key"));
        a.Set("after", "1");
        using DistributedFileStoreCacheString b = Open();
        Assert.Equal("1", b.Get("after"));
        Assert.Equal("value", b.Get("key"));
        Assert.Equal(0, b.Status.DamagedLines);
    }

    [Fact]
    public void Open_rejects_mixing_polled_and_local_caches()
    {
        using (Open())
        {
            Assert.Contains(
                "polling",
                Assert.Throws<DistributedFileStoreCacheException>(() => _folder.Open(o => o.Coherence = FileStoreCoherence.Local)).Message);
            using DistributedFileStoreCacheString automatic = _folder.Open();
            Assert.True(automatic.Status.IsPolled);
        }
        using ScratchFolder other = new();
        using DistributedFileStoreCacheString local = other.Open();
        Assert.Contains(".idx", Assert.Throws<DistributedFileStoreCacheException>(() => other.Open(o => o.Coherence = FileStoreCoherence.Polled)).Message);
    }

    [Fact]
    public void Lock_file_without_owner_is_not_taken_over()
    {
        string path = Path.Combine(_folder.Path, "Cache.Test.jsonl.lock");
        File.WriteAllText(path, "");
        using LockFile second = new(path);
        Assert.False(second.TryLock());
        Assert.False(second.TryLock());
        Assert.True(File.Exists(path));
        File.Delete(path);
        Assert.True(second.TryLock());
        Assert.True(second.StillHeld);
        second.Unlock();
        Assert.False(File.Exists(path));
    }

    [Fact]
    public void Lock_of_other_host_is_taken_over_after_idle_time()
    {
        string path = Path.Combine(_folder.Path, "Cache.Test.jsonl.lock");
        File.WriteAllText(path, "another-host 17 0123");
        long now = 1000;
        using LockFile here = new(path, () => now);
        Assert.False(here.TryLock());
        now += 3999;
        Assert.False(here.TryLock());
        File.SetLastWriteTimeUtc(path, DateTime.UtcNow.AddSeconds(5));
        now += 1;
        Assert.False(here.TryLock());
        now += 3999;
        Assert.False(here.TryLock());
        Assert.True(File.Exists(path));
        now += 1;
        Assert.False(here.TryLock());
        Assert.True(here.TryLock());
        here.Unlock();
    }

    [Fact]
    public async Task Concurrent_reads_during_writes_see_no_partial_data()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => (o.Coherence, o.PollInterval) = (FileStoreCoherence.Polled, TimeSpan.Zero));
        using CancellationTokenSource end = new();
        Task[] readers = [.. Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            while (!end.IsCancellationRequested)
            {
                cache.Get("key");
            }
        }))];
        for (int i = 0; i < 200; i++)
        {
            cache.Set("key", i.ToString());
            Assert.Equal(i.ToString(), cache.Get("key"));
        }
        await end.CancelAsync();
        await Task.WhenAll(readers);
        cache.Engine().AssertValid();
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal("199", fresh.Get("key"));
        Assert.Equal(0, fresh.Status.DamagedLines);
    }

    [Fact]
    public void Polling_processes_lose_no_value_when_lock_holder_is_killed()
    {
        Peer[] peers = [.. Enumerable.Range(0, 4).Select(_ => Peer.Start(_folder, "coherence=Polled", "poll=0"))];
        try
        {
            for (int i = 0; i < 4; i++)
            {
                peers[i].Send($"fill p{i}- 100");
            }
            foreach (string? answer in peers.Select(p => p.ReadLine()))
            {
                Assert.True(answer == "done", answer);
            }
            Assert.All(peers, p => Assert.Equal("400", p.Do("count")));
            Assert.Equal("held", peers[0].Do("hold"));
            peers[0].Kill();
            Assert.Equal("done", peers[1].Do("set key value"));
            Assert.Equal("value", peers[2].Do("get key"));
        }
        finally
        {
            Array.ForEach(peers, p => p.Dispose());
        }
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal(401, fresh.Count);
    }

    [Fact]
    public void Unreadable_file_is_reported_and_reads_use_memory()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        string aside = _folder.CacheFile + ".aside";
        File.Move(_folder.CacheFile, aside);
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("value", cache.Get("key"));
        Assert.NotNull(cache.Status.Fault);
        File.Move(aside, _folder.CacheFile);
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("value", cache.Get("key"));
        Assert.Null(cache.Status.Fault);
    }
}
