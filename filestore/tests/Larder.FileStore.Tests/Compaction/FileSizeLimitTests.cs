using Larder.Harness.Clocks;


namespace Larder.FileStore.Tests;

/// <summary>Tests that the file size stays bounded even if compacting processes die or stall, and that no unnecessary compaction takes place.</summary>
public sealed class FileSizeLimitTests : IDisposable
{
    private const long Slack = 16 << 20;
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Compaction_claim_of_killed_process_is_released()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("key", "value");
        using (Peer peer = Peer.Start(_folder))
        {
            Assert.Equal("claimed", peer.Do("claim"));
            Assert.False(cache.Engine().Compact());
            peer.Kill();
        }
        Assert.True(cache.Engine().Compact());
    }

    [Fact]
    public async Task File_size_stays_bounded_while_a_compacting_process_is_paused()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("key", "value");
        using Peer peer = Peer.Start(_folder);
        Assert.Equal("claimed", peer.Do("claim"));
        peer.Pause();
        string value = new('v', 500_000);
        long most = 0;
        for (int i = 0; i < 100; i++)
        {
            cache.Set("key", value);
            most = Math.Max(most, new FileInfo(_folder.CacheFile).Length);
            await cache.SetAsync("key", value);
            most = Math.Max(most, new FileInfo(_folder.CacheFile).Length);
        }
        Assert.InRange(most, Slack / 2, 2 * (value.Length + 100) + Slack);
        peer.Resume();
    }

    [Fact]
    public async Task Few_expired_entries_trigger_no_compaction()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString other = _folder.Open(o => o.TimeProvider = _time);
        for (int i = 0; i < 100; i++)
        {
            cache.Set("kept" + i, "value");
        }
        for (int i = 0; i < 20; i++)
        {
            cache.Set("short" + i, "value", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(10) });
            _time.Advance(TimeSpan.FromSeconds(35));
            Assert.Null(cache.Get("short" + i));
            // A compaction would start on the thread pool. When this task has run, everything queued before it has started.
            await Task.Run(static () => { });
        }
        Assert.Equal(1, cache.Status.Generation);
        Assert.Equal(0, cache.Engine().Compactions + other.Engine().Compactions);
    }

    [Fact]
    public void Compaction_keeps_temporary_file_that_is_in_use()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("key", "value");
        Assert.True(cache.Engine().Compact());
        string inUse = _folder.CacheFile + ".g1.999abc.tmp";
        using FileStream another = OpenFile.CreateNew(inUse);
        Assert.True(cache.Engine().Compact());
        using (_folder.Open())
        {
            Assert.True(File.Exists(inUse));
        }
    }

    [Fact]
    public async Task SetMany_is_atomic_for_concurrent_readers()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        string[] keys = [.. Enumerable.Range(0, 3000).Select(i => "key" + i)];
        void Set(int version) => cache.SetMany([.. keys.Select(k => new KeyValuePair<string, string>(k, version.ToString()))]);
        Set(0);
        using CancellationTokenSource end = new();
        int halves = 0;
        Task reader = Task.Run(() =>
        {
            while (!end.IsCancellationRequested)
            {
                int first = int.Parse(cache.Get(keys[0])!);
                int last = int.Parse(cache.Get(keys[^1])!);
                halves += last < first ? 1 : 0;
            }
        });
        for (int version = 1; version < 300; version++)
        {
            Set(version);
        }
        await end.CancelAsync();
        await reader;
        Assert.Equal(0, halves);
    }
}
