using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>
/// Tests that no process ends and no entry is lost if the sidecar, or both files, are truncated or overwritten in place while caches map the sidecar.
/// </summary>
public sealed class TruncatedSidecarTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private string SidecarFile => _folder.CacheFile + ".idx";

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(100)]
    [InlineData(4095)]
    public void Truncated_sidecar_is_repaired_without_loss(int length)
    {
        using DistributedFileStoreCacheString a = _folder.Open();
        using DistributedFileStoreCacheString b = _folder.Open();
        a.Set("key", "value");
        Assert.Equal("value", b.Get("key"));
        Truncate(SidecarFile, length);
        Assert.Equal("value", a.Get("key"));
        Assert.Equal("value", b.Get("key"));
        b.Set("from b", "1");
        a.Set("from a", "2");
        using DistributedFileStoreCacheString fresh = _folder.Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[a, b, fresh])
        {
            Assert.Equal("value", cache.Get("key"));
            Assert.Equal("1", cache.Get("from b"));
            Assert.Equal("2", cache.Get("from a"));
            cache.Handler.Engine.AssertValid();
        }
        Assert.Equal(Sidecar.Bytes, new FileInfo(SidecarFile).Length);
        Assert.Null(a.Status.Fault);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void All_caches_report_truncation_of_sidecar_and_file(bool byAnOpener)
    {
        using DistributedFileStoreCacheString a = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString b = _folder.Open(o => o.TimeProvider = _time);
        a.Set("first", "1");
        a.Engine().Compact();
        long length = new FileInfo(_folder.CacheFile).Length;
        a.Set("second", "2");
        Assert.Equal("2", b.Get("second"));
        // The first line states the length that the file had when it was created. A cache that is being opened knows no other length, so the file is cut below
        // this one.
        _folder.Cut(byAnOpener ? LogHeader.Bytes : length);
        Truncate(SidecarFile, 0);
        using DistributedFileStoreCacheString? opener = byAnOpener ? _folder.Open() : null;
        (opener ?? a).Set("third", "3");
        Assert.Equal((null, "3"), (b.Get("second"), b.Get("third")));
        Assert.Equal(1, b.Status.Faults);
    }

    [Fact]
    public void Idle_caches_repair_truncated_sidecar_within_a_second()
    {
        using DistributedFileStoreCacheString a = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString b = _folder.Open(o => o.TimeProvider = _time);
        a.Set("key", "value");
        Truncate(SidecarFile, 0);
        Assert.Equal("value", a.Get("key"));
        Assert.Equal("value", b.Get("key"));
        _time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal(Sidecar.Bytes, new FileInfo(SidecarFile).Length);
        Assert.Null(a.Status.Fault);
        Assert.Null(b.Status.Fault);
        a.Set("key", "after");
        Assert.Equal("after", b.Get("key"));
    }

    [Fact]
    public void Opening_with_truncated_sidecar_keeps_processes_consistent()
    {
        using DistributedFileStoreCacheString a = _folder.Open();
        using Peer peer = Peer.Start(_folder);
        a.Set("key", "value");
        Truncate(SidecarFile, 0);
        Assert.Equal("value", peer.Do("get key"));
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal("value", fresh.Get("key"));
        fresh.Set("fresh", "1");
        Assert.Equal("done", peer.Do("set peer 2"));
        a.Set("a", "3");
        foreach (string key in (string[])["key", "fresh", "peer", "a"])
        {
            Assert.NotNull(a.Get(key));
            Assert.NotNull(fresh.Get(key));
            Assert.NotEqual("(none)", peer.Do("get " + key));
        }
    }

    [Fact]
    public void Read_only_cache_survives_truncated_sidecar()
    {
        using DistributedFileStoreCacheString writer = _folder.Open();
        writer.Set("key", "value");
        using DistributedFileStoreCacheString reader = _folder.Open(o => (o.ReadOnly, o.TimeProvider) = (true, _time));
        Truncate(SidecarFile, 0);
        Assert.Equal("value", reader.Get("key"));
        writer.Set("key", "after");
        _time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal("after", reader.Get("key"));
        writer.Set("key", "again");
        Assert.Equal("again", reader.Get("key"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Backup_restored_under_running_processes_keeps_them_consistent(bool compacted)
    {
        using DistributedFileStoreCacheString a = _folder.Open();
        using Peer peer = Peer.Start(_folder);
        a.Set("key", "old");
        byte[] log = File.ReadAllBytes(_folder.CacheFile);
        byte[] sidecar = File.ReadAllBytes(SidecarFile);
        a.Set("key", "new");
        a.Set("more", new string('x', 5000));
        if (compacted)
        {
            Assert.True(a.Handler.Compact());
        }
        Overwrite(_folder.CacheFile, log);
        Overwrite(SidecarFile, sidecar);
        Assert.NotNull(a.Get("key"));
        Assert.Equal("done", peer.Do("set peer 1"));
        a.Set("a", "2");
        using DistributedFileStoreCacheString fresh = _folder.Open();
        string? key = fresh.Get("key");
        Assert.Contains(key, (string[])["old", "new"]);
        Assert.Equal(key, a.Get("key"));
        Assert.Equal(key, peer.Do("get key"));
        Assert.Equal(fresh.Get("more"), a.Get("more"));
        foreach (string written in (string[])["a", "peer"])
        {
            Assert.NotNull(fresh.Get(written));
            Assert.NotNull(a.Get(written));
            Assert.NotEqual("(none)", peer.Do("get " + written));
        }
    }

    [Fact]
    public void Entries_in_memory_survive_truncation_of_both_files()
    {
        using DistributedFileStoreCacheString a = _folder.Open();
        using DistributedFileStoreCacheString b = _folder.Open();
        a.Set("key", "value");
        Assert.Equal("value", b.Get("key"));
        Truncate(SidecarFile, 0);
        Truncate(_folder.CacheFile, 0);
        b.Set("after", "1");
        using DistributedFileStoreCacheString fresh = _folder.Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[a, b, fresh])
        {
            Assert.Equal("value", cache.Get("key"));
            Assert.Equal("1", cache.Get("after"));
        }
    }

    [Fact]
    public async Task Processes_survive_repeated_restores_of_backup_under_load()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using Peer peer = Peer.Start(_folder);
        cache.Set("key", "value");
        byte[] log = File.ReadAllBytes(_folder.CacheFile);
        byte[] sidecar = File.ReadAllBytes(SidecarFile);
        using CancellationTokenSource end = new();
        Task reading = Task.Run(() =>
        {
            while (!end.IsCancellationRequested)
            {
                cache.Get("key");
            }
        });
        for (int i = 0; i < 300; i++)
        {
            Overwrite(_folder.CacheFile, log);
            Overwrite(SidecarFile, sidecar);
            if (i % 10 == 0)
            {
                peer.Do("set peer " + i);
            }
        }
        await end.CancelAsync();
        await reading;
        Assert.Equal("done", peer.Do("set peer last"));
        cache.Set("cache", "last");
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal("last", fresh.Get("peer"));
        Assert.Equal("last", fresh.Get("cache"));
        Assert.Equal("last", cache.Get("peer"));
        Assert.Equal("last", peer.Do("get cache"));
    }

    /// <summary>Tests 16 and 17 sidecars because the guard's table initially has 16 entries.</summary>
    [Theory]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(160)]
    public unsafe void Guard_covers_any_number_of_open_sidecars(int count)
    {
        List<Sidecar> open = [];
        for (int i = 0; i < count; i++)
        {
            string path = Path.Combine(_folder.Path, $"{i}.idx");
            File.WriteAllBytes(path, new byte[Sidecar.Bytes]);
            open.Add(Sidecar.Open(path));
            Truncate(path, 0);
        }
        Assert.All(open, sidecar => Assert.Equal(0, *sidecar.CommittedWord));
        Assert.True(TruncationGuard.IsActive);
        open.ForEach(sidecar => sidecar.Dispose());
    }

    [Fact]
    public void Memory_fault_in_unrelated_file_terminates_the_process()
    {
        using Peer peer = Peer.Start(_folder);
        peer.Send("bus " + Path.Combine(_folder.Path, "other"));
        Assert.Null(peer.ReadLine());
        Assert.Contains("AccessViolationException", peer.Log);
    }

    private static void Truncate(string file, long length)
    {
        using FileStream stream = new(file, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        stream.SetLength(length);
    }

    /// <summary>Truncates the file and then writes it, as cp does.</summary>
    private static void Overwrite(string file, byte[] content)
    {
        using Microsoft.Win32.SafeHandles.SafeFileHandle handle = OpenFile.Try(file) ?? OpenFile.CreateNew(file).SafeFileHandle;
        RandomAccess.SetLength(handle, 0);
        RandomAccess.Write(handle, content, 0);
    }
}
