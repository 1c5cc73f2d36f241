namespace Larder.FileStore.Tests;

/// <summary>F1, F4, F5: faults injected into the system calls of a real process by strace.</summary>
public sealed class SystemCallFaultTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [StraceFact]
    public void Killed_at_the_system_calls_of_a_set_it_leaves_the_old_value_or_the_new() => KillAtEach("set key new", every: 4, ["old", "new"]);

    [StraceFact(Long = true)]
    public void Killed_at_every_system_call_of_a_set_it_leaves_the_old_value_or_the_new() => KillAtEach("set key new", every: 1, ["old", "new"]);

    [StraceFact]
    public void Killed_at_system_calls_of_a_compaction_it_loses_nothing() => KillAtEach("compact", every: 12, ["old"]);

    [StraceFact(Long = true)]
    public void Killed_at_every_system_call_of_a_compaction_it_loses_nothing() => KillAtEach("compact", every: 1, ["old"]);

    /// <summary>Kills the peer at its N-th system call after it was told to act, N rising until it gets through.</summary>
    private void KillAtEach(string command, int every, string[] allowed)
    {
        bool finished = false;
        int kills = 0;
        using var survivor = _folder.Open();
        for (int call = 1; !finished && call < 400; call += every)
        {
            survivor.ClearAll([.. Enumerable.Range(0, 100).Select(i => new KeyValuePair<string, string>("other" + i, "kept"))]);
            survivor.Set("key", "old");
            using (Peer peer = Peer.Start(_folder))
            {
                using Strace strace = Strace.Attach(peer, $"all:signal=KILL:when={call}");
                string? answer = Act(peer, command);
                finished = answer is "done" or "declined";
                kills += finished ? 0 : 1;
            }
            using var fresh = _folder.Open();
            foreach (var cache in (DistributedFileStoreCacheString[])[survivor, fresh])
            {
                Assert.Contains(cache.Get("key"), allowed);
                Assert.Equal(100, cache.GetByPrefix("other").Values.Count(v => v == "kept"));
                Assert.Equal(0, cache.Status.DamagedLines);
            }
            Assert.Equal(survivor.Get("key"), fresh.Get("key"));
            survivor.Set("after", call.ToString());
            Assert.Equal(call.ToString(), fresh.Get("after"));
        }
        Assert.True(finished, "It never got through.");
        Assert.True(kills > 0, "No kill hit.");
    }

    private static string? Act(Peer peer, string command)
    {
        try
        {
            peer.Send(command);
            return peer.ReadLine();
        }
        catch (IOException)
        {
            return null;
        }
    }

    [StraceFact]
    public void A_flush_that_fails_once_throws_and_the_next_write_verifies_the_file()
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
        using var fresh = _folder.Open();
        Assert.Equal("old", fresh.Get("key"));
        Assert.Equal("x", fresh.Get("other"));
    }

    [StraceFact]
    public void A_full_disk_throws_naming_the_file_and_it_works_again_when_there_is_room()
    {
        using var survivor = _folder.Open();
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
        using var fresh = _folder.Open();
        Assert.Equal("new", fresh.Get("key"));
    }

    [TmpfsFact]
    public void A_disk_that_is_really_full_loses_nothing()
    {
        using SmallDisk disk = new(Path.Combine(_folder.Path, "disk"));
        using var cache = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path);
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
        using (var fresh = _folder.Open(o => o.PathToCacheFileDirectory = disk.Path))
        {
            Assert.Equal(stored + 1, fresh.Count);
            Assert.Equal(value, fresh.Get("key" + (stored - 1)));
        }
        disk.Grow();
        cache.Set("key" + stored, value);
        Assert.Equal(value, cache.Get("key" + stored));
    }
}
