namespace Larder.FileStore.Tests;

/// <summary>Tests F4 and F5 with faults that strace injects into the system calls of a real process.</summary>
public sealed class SystemCallFaultTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [StraceFact]
    public void Failed_flush_throws_and_next_write_verifies_file()
    {
        using Peer peer = Peer.Start(_folder, "durability=EveryWrite");
        Assert.Equal("done", peer.Do("set key old"));
        using (Strace strace = Strace.Attach(peer, "fsync,fdatasync:error=EIO:when=1"))
        {
            string answer = peer.Do("set key new");
            Assert.StartsWith("threw IOException", answer);
            Assert.Contains(_folder.CacheFile, answer);
            Assert.Equal("old", peer.Do("get key"));
            Assert.Equal("done", peer.Do("set other x"));
        }
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal("old", fresh.Get("key"));
        Assert.Equal("x", fresh.Get("other"));
    }

    [StraceTheory]
    [InlineData("pwrite64")]
    [InlineData("pwrite64,ftruncate")]
    public void Failed_write_throws_and_keeps_old_value(string calls)
    {
        using DistributedFileStoreCacheString survivor = _folder.Open();
        using Peer peer = Peer.Start(_folder);
        Assert.Equal("done", peer.Do("set key old"));
        using (Strace strace = Strace.Attach(peer, calls + ":error=EIO:when=1"))
        {
            string answer = peer.Do("set key new");
            Assert.StartsWith("threw IOException", answer);
            Assert.Contains(_folder.CacheFile, answer);
            Assert.Equal("old", peer.Do("get key"));
            Assert.Equal("old", survivor.Get("key"));
            Assert.Equal("done", peer.Do("set other x"));
        }
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal("old", fresh.Get("key"));
        Assert.Equal("x", fresh.Get("other"));
        Assert.Equal("x", survivor.Get("other"));
    }

    [StraceTheory]
    [InlineData("pwrite64")]
    [InlineData("fsync,fdatasync")]
    [InlineData("rename,renameat,renameat2")]
    public void Compaction_that_fails_to_write_keeps_file_unchanged(string calls)
    {
        using DistributedFileStoreCacheString survivor = _folder.Open();
        using Peer peer = Peer.Start(_folder, "durability=OnCompaction");
        Assert.Equal("done", peer.Do("fill key 100"));
        Assert.Equal("done", peer.Do("fill key 100"));
        using (Strace strace = Strace.Attach(peer, calls + ":error=EIO:when=1"))
        {
            Assert.StartsWith("threw IOException", peer.Do("compact"));
        }
        Assert.Equal("value99", survivor.Get("key99"));
        Assert.Empty(Directory.GetFiles(_folder.Path, "*.tmp"));
        Assert.Equal("done", peer.Do("compact"));
        Assert.Equal("done", peer.Do("set key0 new"));
        Assert.Equal("new", survivor.Get("key0"));
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal(100, fresh.Count);
        Assert.Equal("new", fresh.Get("key0"));
    }

    [StraceFact]
    public void Write_to_full_disk_throws_and_later_write_succeeds()
    {
        using DistributedFileStoreCacheString survivor = _folder.Open();
        using Peer peer = Peer.Start(_folder);
        Assert.Equal("done", peer.Do("set key old"));
        using (Strace strace = Strace.Attach(peer, "pwrite64:error=ENOSPC:when=1..3"))
        {
            for (int i = 0; i < 3; i++)
            {
                string answer = peer.Do("set key new");
                Assert.StartsWith("threw IOException", answer);
                Assert.Contains(_folder.CacheFile, answer);
                Assert.Equal("old", peer.Do("get key"));
                Assert.Equal("old", survivor.Get("key"));
            }
            Assert.Equal("done", peer.Do("set key new"));
        }
        Assert.Equal("new", survivor.Get("key"));
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal("new", fresh.Get("key"));
    }

    [TmpfsFact]
    public void Writes_to_full_disk_lose_no_stored_entry()
    {
        using SmallDisk disk = new(Path.Combine(_folder.Path, "disk"));
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path);
        string value = new('v', 10_000);
        IOException? full = null;
        int stored = 0;
        for (; full is null && stored < 1000; stored++)
        {
            full = Record.Exception(() => cache.Set("key" + stored, value)) as IOException;
        }
        Assert.NotNull(full);
        Assert.Contains("Cache.Test.jsonl", full.Message);
        stored--;
        Assert.Equal(stored, cache.Count);
        cache.Set("small", "fits");
        using (DistributedFileStoreCacheString fresh = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path))
        {
            Assert.Equal(stored + 1, fresh.Count);
            Assert.Equal(value, fresh.Get("key" + (stored - 1)));
        }
        disk.Grow();
        cache.Set("key" + stored, value);
        Assert.Equal(value, cache.Get("key" + stored));
    }

    [TmpfsFact]
    public void Full_disk_is_reported_as_fault_until_a_write_succeeds()
    {
        using SmallDisk disk = new(Path.Combine(_folder.Path, "disk"));
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path);
        string value = new('v', 10_000);
        int stored = 0;
        while (Record.Exception(() => cache.Set("key" + stored, value)) is null)
        {
            stored++;
        }
        Assert.NotNull(cache.Status.Fault);
        Assert.Contains(cache.Status.Path, cache.Status.Fault);
        disk.Grow();
        cache.Set("key" + stored, value);
        Assert.Null(cache.Status.Fault);
    }

    [TmpfsFact]
    public void ClearAll_frees_space_on_full_disk()
    {
        using SmallDisk disk = new(Path.Combine(_folder.Path, "disk"));
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path);
        using DistributedFileStoreCacheString other = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path);
        string value = new('v', 10_000);
        int stored = 0;
        while (Record.Exception(() => cache.Set("key" + stored, value)) is null)
        {
            stored++;
        }
        // Fills the disk to the last byte, so that no further line fits.
        using (FileStream filler = new(Path.Combine(disk.Path, "filler"), FileMode.Create))
        {
            byte[] page = new byte[4096];
            for (IOException? full = null; full is null;)
            {
                full = Record.Exception(() => RandomAccess.Write(filler.SafeFileHandle, page, RandomAccess.GetLength(filler.SafeFileHandle))) as IOException;
            }
        }
        while (Record.Exception(() => cache.Set("small", "x")) is null)
        {
            stored++;
        }
        cache.ClearAll();
        Assert.Equal(0, cache.Count);
        Assert.Equal(0, other.Count);
        for (int i = 0; i < 20; i++)
        {
            other.Set("again" + i, value);
        }
        Assert.Equal(value, cache.Get("again19"));
        using DistributedFileStoreCacheString fresh = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path);
        Assert.Equal(20, fresh.Count);
    }

    [TmpfsFact]
    public void Open_on_full_disk_fails_and_names_the_file()
    {
        using SmallDisk disk = new(Path.Combine(_folder.Path, "disk"));
        Record.Exception(() => File.WriteAllBytes(Path.Combine(disk.Path, "filler"), new byte[2 << 20]));
        Exception? refused = Record.Exception(() => _folder.Open(o => o.PathToCacheFileDirectory = disk.Path));
        Assert.NotNull(refused);
        Assert.Contains(Path.Combine(disk.Path, "Cache.Test.jsonl"), refused.Message);
        Assert.IsType<DistributedFileStoreCacheException>(refused);
    }
}
