
namespace Larder.FileStore.Tests;

/// <summary>Tests F3, F6 and F9 with real processes. The file is damaged, deleted and replaced while the processes run and compete for the lock.</summary>
public sealed class RunningProcessTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly List<Peer> _peers = [];

    public void Dispose()
    {
        _peers.ForEach(p => p.Dispose());
        _folder.Dispose();
    }

    private Peer[] Start(int count)
    {
        Peer[] started = [.. Enumerable.Range(0, count).Select(_ => Peer.Start(_folder))];
        _peers.AddRange(started);
        return started;
    }

    [Fact]
    public void Deleted_file_becomes_empty_cache_for_running_processes()
    {
        Peer[] peers = Start(2);
        Assert.Equal("done", peers[0].Do("set key value"));
        Assert.Equal("value", peers[1].Do("get key"));
        File.Delete(_folder.CacheFile);
        Until.True(() => peers.All(p => p.Do("get key") == "(none)"));
        Assert.Equal("done", peers[1].Do("set key again"));
        Assert.Equal("again", peers[0].Do("get key"));
        Assert.Equal("again", Start(1)[0].Do("get key"));
    }

    [Fact]
    public void Running_processes_see_replaced_file()
    {
        Peer[] peers = Start(2);
        Assert.Equal("done", peers[0].Do("set key old"));
        string copy = Path.Combine(_folder.Path, "copy");
        File.Copy(_folder.CacheFile, copy);
        Assert.Equal("done", peers[0].Do("set key new"));
        Assert.Equal("new", peers[1].Do("get key"));
        File.Move(copy, _folder.CacheFile, overwrite: true);
        Until.True(() => peers.All(p => p.Do("get key") == "old"));
        Assert.Equal("done", peers[1].Do("set key after"));
        Assert.Equal("after", peers[0].Do("get key"));
    }

    [Fact]
    public void Flipped_bit_affects_only_processes_that_open_later()
    {
        Peer[] peers = Start(2);
        Assert.Equal("done", peers[0].Do("fill key 3"));
        Assert.Equal("value1", peers[1].Do("get key1"));
        byte[] whole = File.ReadAllBytes(_folder.CacheFile);
        int at = whole.AsSpan().IndexOf("value1"u8);
        using (FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            file.Position = at;
            file.WriteByte((byte)(whole[at] ^ 4));
        }
        Assert.All(peers, p => Assert.Equal("value1", p.Do("get key1")));
        Peer late = Start(1)[0];
        Assert.Equal("(none)", late.Do("get key1"));
        Assert.Equal("value2", late.Do("get key2"));
        Assert.True(File.Exists(_folder.CacheFile + ".damaged"));
        Assert.Equal("done", late.Do("set key1 mended"));
        Assert.All(peers, p => Assert.Equal("mended", p.Do("get key1")));
    }

    [Fact]
    public void Concurrent_writes_during_compactions_lose_nothing()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        Peer[] peers = Start(8);
        for (int i = 0; i < peers.Length; i++)
        {
            peers[i].Send($"fill p{i}- 200");
        }
        int compactions = 0;
        Until.True(() =>
        {
            compactions += cache.Engine().Compact() ? 1 : 0;
            return cache.Count == 1600;
        });
        Assert.All(peers, p => Assert.Equal("done", p.ReadLine()));
        Assert.All(peers, p => Assert.Equal("1600", p.Do("count")));
        Assert.True(compactions > 0);
        Assert.Equal(0, cache.Status.DamagedLines);
    }
}
