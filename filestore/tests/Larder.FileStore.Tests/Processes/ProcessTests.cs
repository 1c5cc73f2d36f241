
namespace Larder.FileStore.Tests;

/// <summary>Tests F6, F7 and the guarantees between processes: coherence, no lost updates, and reads that never wait.</summary>
public sealed class ProcessTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void No_value_is_lost_when_four_processes_write_concurrently()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.SetMany([.. Enumerable.Range(0, 10_000).Select(i => new KeyValuePair<string, string>("before" + i, "value"))]);
        Peer[] peers = [.. Enumerable.Range(0, 4).Select(_ => Peer.Start(_folder))];
        try
        {
            for (int i = 0; i < 4; i++)
            {
                peers[i].Send($"fill p{i}- 200");
            }
            Assert.All(peers, p => Assert.Equal("done", p.ReadLine()));
            Assert.Equal(10_800, cache.Count);
            Assert.All(peers, p => Assert.Equal("10800", p.Do("count")));
            Assert.Equal("value199", cache.Get("p3-199"));
        }
        finally
        {
            Array.ForEach(peers, p => p.Dispose());
        }
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal(10_800, fresh.Count);
    }

    [Fact]
    public void Read_is_never_stale_after_another_process_sets_the_value() => CheckCoherence(rounds: 1000);

    [LongFact]
    public void Read_after_write_is_never_stale_in_10_000_rounds() => CheckCoherence(rounds: 10_000);

    private void CheckCoherence(int rounds)
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using Peer peer = Peer.Start(_folder);
        int stale = 0;
        for (int i = 0; i < rounds; i++)
        {
            Assert.Equal("done", peer.Do($"set there {i}"));
            stale += cache.Get("there") == i.ToString() ? 0 : 1;
            cache.Set("here", i.ToString());
            stale += peer.Do("get here") == i.ToString() ? 0 : 1;
            if (i % 200 == 100)
            {
                cache.Engine().Compact();
            }
        }
        Assert.Equal(0, stale);
    }

    [Theory]
    [InlineData(2, 100)]
    [InlineData(8, 50)]
    public void Concurrent_increments_of_several_processes_lose_no_update(int processes, int each)
    {
        Peer[] peers = [.. Enumerable.Range(0, processes).Select(_ => Peer.Start(_folder))];
        try
        {
            Array.ForEach(peers, p => p.Send($"add counter {each}"));
            Assert.All(peers, p => Assert.Equal("done", p.ReadLine()));
        }
        finally
        {
            Array.ForEach(peers, p => p.Dispose());
        }
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Equal((processes * each).ToString(), cache.Get("counter"));
        Assert.Equal(0, cache.Status.DamagedLines);
    }

    [Fact]
    public void Reads_succeed_and_writes_time_out_while_writer_is_paused()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.LockTimeout = TimeSpan.FromMilliseconds(200));
        cache.Set("key", "value");
        using Peer holder = Peer.Start(_folder);
        Assert.Equal("held", holder.Do("hold"));
        holder.Pause();
        for (int i = 0; i < 100_000; i++)
        {
            Assert.Equal("value", cache.Get("key"));
        }
        DistributedFileStoreCacheException thrown = Assert.Throws<DistributedFileStoreCacheException>(() => cache.Set("key", "new"));
        Assert.IsType<TimeoutException>(thrown.InnerException);
        Assert.Contains($"process {holder.Id}", thrown.Message);
        using (DistributedFileStoreCacheString opened = _folder.Open(o => o.LockTimeout = TimeSpan.FromMilliseconds(200)))
        {
            Assert.Equal("value", opened.Get("key"));
        }
        holder.Resume();
        Assert.Equal("released", holder.Do("go on"));
        cache.Set("key", "new");
        Assert.Equal("new", cache.Get("key"));
    }

    [Fact]
    public async Task SetAsync_can_be_cancelled_while_another_writer_is_paused()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using Peer holder = Peer.Start(_folder);
        Assert.Equal("held", holder.Do("hold"));
        using CancellationTokenSource cancel = new();
        Task write = cache.SetAsync("key", "value", token: cancel.Token);
        Assert.False(write.IsCompleted);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write);
        Assert.Null(cache.Get("key"));
        holder.Do("go on");
        await cache.SetAsync("key", "value");
        Assert.Equal("value", cache.Get("key"));
    }

    [Fact]
    public void Write_succeeds_after_lock_holder_was_killed()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using Peer holder = Peer.Start(_folder);
        Assert.Equal("held", holder.Do("hold"));
        holder.Kill();
        cache.Set("key", "value");
        Assert.Equal("value", cache.Get("key"));
    }

    [Fact]
    public async Task Writes_cancelled_at_random_times_leave_valid_file()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.SetMany([.. Enumerable.Range(0, 10_000).Select(i => new KeyValuePair<string, string>("before" + i, "value"))]);
            Random random = new(1);
            Task[] writes = [.. Enumerable.Range(0, 200).Select(async i =>
            {
                using CancellationTokenSource cancel = new(TimeSpan.FromMicroseconds(random.Next(15_000)));
                try
                {
                    await Task.Run(() => cache.SetAsync("key" + i, "value", token: cancel.Token), CancellationToken.None);
                }
                catch (OperationCanceledException)
                {
                    // The write may have succeeded or failed. The file is checked below.
                }
            })];
            await Task.WhenAll(writes);
        }
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal(10_000, fresh.GetByPrefix("before").Count);
        Assert.Equal(0, fresh.Status.DamagedLines);
    }

    [Fact]
    public void Changes_are_detected_without_file_system_watcher()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.DoesNotContain(
            Directory.GetFiles($"/proc/{Environment.ProcessId}/fd").Select(f => new FileInfo(f).LinkTarget),
            target => target is not null && target.Contains("inotify", StringComparison.Ordinal));
        using Peer peer = Peer.Start(_folder);
        Assert.Equal("done", peer.Do("set key value"));
        Assert.Equal("value", cache.Get("key"));
    }

    [Fact]
    public void Killed_writer_loses_no_acknowledged_write() => CheckKills(kills: 4);

    [LongFact]
    public void Writer_killed_50_times_loses_no_acknowledged_write() => CheckKills(kills: 50);

    private void CheckKills(int kills)
    {
        using DistributedFileStoreCacheString survivor = _folder.Open();
        survivor.Set("witness", "untouched");
        Random random = new(7);
        for (int kill = 0; kill < kills; kill++)
        {
            using Peer writer = Peer.Start(_folder);
            writer.Send($"churn k{kill}-");
            int acknowledged = -1;
            for (int i = random.Next(1500); i >= 0; i--)
            {
                acknowledged = int.Parse(writer.ReadLine()!);
            }
            writer.Kill();
            foreach (string line in writer.Output.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries))
            {
                // The kill may have truncated the last line.
                acknowledged = int.TryParse(line, out int number) && number == acknowledged + 1 ? number : acknowledged;
            }
            using DistributedFileStoreCacheString fresh = _folder.Open();
            foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[survivor, fresh])
            {
                Assert.Equal("untouched", cache.Get("witness"));
                for (int key = 0; key < Math.Min(100, acknowledged + 1); key++)
                {
                    int expected = acknowledged - ((acknowledged - key) % 100 + 100) % 100;
                    string? actual = cache.Get($"k{kill}-{key}");
                    Assert.True(actual == expected.ToString() || actual == (expected + 100).ToString(), $"key {key}: {actual}, acknowledged {expected}");
                }
                Assert.Equal(0, cache.Status.DamagedLines);
            }
            survivor.Set("after", kill.ToString());
            Assert.Equal(kill.ToString(), fresh.Get("after"));
        }
    }
}
