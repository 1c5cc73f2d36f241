using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Tests;

/// <summary>Many processes at once: opening, and the queue for the write lock.</summary>
public sealed class StartingTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Open_times_out_while_empty_sidecar_is_locked()
    {
        File.WriteAllBytes(_folder.CacheFile + ".idx", []);
        using SafeFileHandle sidecar = OpenFile.Try(_folder.CacheFile + ".idx")!;
        Assert.Equal(0, NativeMethods.FileLock((int)sidecar.DangerousGetHandle(), NativeMethods.LockExclusive));
        DistributedFileStoreCacheException thrown = Assert.Throws<DistributedFileStoreCacheException>(() =>
            _folder.Open(o => o.LockTimeout = TimeSpan.FromMilliseconds(100)));
        Assert.IsType<TimeoutException>(thrown.InnerException);
    }

    /// <summary>A new sidecar gets its size before its magic number. In between, others may queue in it, and its creator may be killed.</summary>
    [Theory]
    [InlineData(128)]
    [InlineData(256)]
    [InlineData(767)]
    public void Unfinished_sidecar_is_completed_by_next_opening_process(int written)
    {
        byte[] unready = new byte[Sidecar.Bytes];
        unready[written] = 1;
        File.WriteAllBytes(_folder.CacheFile + ".idx", unready);
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("k", "v");
        Assert.Equal("v", cache.Get("k"));
        Assert.Null(cache.Status.Fault);
    }

    [Fact]
    public void Sidecar_with_waiting_process_is_still_initialized()
    {
        using Sidecar maker = Sidecar.Open(_folder.CacheFile + ".idx");
        Assert.True(maker.TryLock());
        maker.Size();
        using Sidecar waiter = Sidecar.Open(_folder.CacheFile + ".idx");
        Assert.False(waiter.TryLock(TimeSpan.FromMilliseconds(20)));
        Assert.True(maker.InitialiseIfOutdated());
        maker.Unlock();
        Assert.True(waiter.TryLock(TimeSpan.FromSeconds(20)));
        Assert.False(waiter.InitialiseIfOutdated());
    }

    [Fact]
    public void Loading_by_opening_cache_does_not_block_writers()
    {
        using DistributedFileStoreCacheString running = _folder.Open(o => o.LockTimeout = TimeSpan.Zero);
        running.Set("before", "1", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
        // The opener requests the time while it loads the entry above.
        CallingTime time = new(() => running.Set("meanwhile", "2"));
        using DistributedFileStoreCacheString opened = _folder.Open(o => o.TimeProvider = time);
        Assert.True(time.Called > 0);
        Assert.Equal("2", running.Get("meanwhile"));
        Assert.Equal("2", opened.Get("meanwhile"));
        Assert.Equal("1", opened.Get("before"));
    }

    [Fact]
    public void Sixteen_polling_processes_can_open_one_cache_at_once() => OpenAtOnce(16, "coherence=Polled", "poll=0", "lock=5000");

    [Fact]
    public void Sixteen_processes_can_open_one_cache_at_once() => OpenAtOnce(16, "lock=5000");

    private void OpenAtOnce(int count, params string[] options)
    {
        Peer[] peers = [.. Enumerable.Range(0, count).Select(_ => Peer.StartUnready(["dotnet"], _folder, options))];
        try
        {
            string?[] answers = [.. peers.Select(p => p.ReadLine())];
            Assert.All(answers, a => Assert.Equal("ready", a));
        }
        finally
        {
            Array.ForEach(peers, p => p.Dispose());
        }
    }

    [Fact]
    public void Concurrent_sets_of_16_processes_succeed() => SetAtOnce(16);

    [LongFact]
    public void Concurrent_sets_of_64_processes_succeed() => SetAtOnce(64);

    private void SetAtOnce(int count)
    {
        Peer[] peers = [.. Enumerable.Range(0, count).Select(_ => Peer.StartUnready(["dotnet"], _folder, "lock=5000"))];
        try
        {
            Assert.All(peers, p => Assert.Equal("ready", p.ReadLine()));
            for (int i = 0; i < count; i++)
            {
                peers[i].Send($"fill p{i}- 100");
            }
            string?[] answers = [.. peers.Select(p => p.ReadLine())];
            Assert.All(answers, a => Assert.Equal("done", a));
        }
        finally
        {
            Array.ForEach(peers, p => p.Dispose());
        }
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal(count * 100, fresh.Count);
    }
}
