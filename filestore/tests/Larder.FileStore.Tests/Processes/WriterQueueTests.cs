using System.Runtime.InteropServices;

namespace Larder.FileStore.Tests;

/// <summary>Tests the order of the writers that wait for the write lock.</summary>
public sealed unsafe class WriterQueueTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly byte* _memory = (byte*)NativeMemory.AllocZeroed(4096);

    public void Dispose()
    {
        NativeMemory.Free(_memory);
        _folder.Dispose();
    }

    [Theory]
    [InlineData(0, 0, 5)]
    [InlineData(2, 3, 3)]
    [InlineData(2, 17, 3)]
    [InlineData(2, 19, 1)]
    [InlineData(5, 6, 0)]
    [InlineData(0, 20, 0)]
    public void LeftOf_ignores_stall_time_up_to_four_times_the_timeout(int sleptS, int elapsedS, int leftS) =>
        Assert.Equal(
            TimeSpan.FromSeconds(leftS),
            StallAwareTimeout.LeftOf(TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(sleptS), TimeSpan.FromSeconds(elapsedS)));

    [Fact]
    public void Slept_counts_at_most_the_requested_sleep()
    {
        StallAwareTimeout patience = new(TimeSpan.FromHours(1));
        patience.Slept(10, TimeSpan.FromSeconds(2000));
        patience.Slept(10, TimeSpan.FromMilliseconds(4));
        Assert.Equal(TimeSpan.FromHours(1) - TimeSpan.FromMilliseconds(14), patience.Left);
    }

    [Fact]
    public void Tickets_are_served_in_order_even_when_numbers_wrap()
    {
        *(int*)(_memory + 256) = int.MaxValue;
        *(int*)(_memory + 320) = int.MaxValue;
        WriterQueue queue = new(_memory);
        Assert.True(queue.IsEmpty);
        int first = queue.Join();
        int second = queue.Join();
        Assert.True(queue.IsTurnOf(first));
        Assert.False(queue.IsTurnOf(second));
        queue.AdvanceTo(first + 1);
        Assert.True(queue.IsTurnOf(second));
        queue.AdvanceTo(first);
        Assert.True(queue.IsTurnOf(second));
        queue.AdvanceTo(second + 1);
        Assert.True(queue.IsEmpty);
    }

    [Fact]
    public void Sleeping_writer_wakes_only_for_its_own_turn()
    {
        WriterQueue queue = new(_memory);
        int first = queue.Join();
        int second = queue.Join();
        using ManualResetEventSlim woken = new();
        Thread sleeper = new(() =>
        {
            while (!queue.IsTurnOf(second))
            {
                queue.Sleep(second, wasTurn: false, milliseconds: 60_000);
            }
            woken.Set();
        });
        sleeper.Start();
        queue.Call();
        Assert.False(woken.IsSet);
        queue.AdvanceTo(first + 1);
        Assert.True(woken.Wait(TimeSpan.FromSeconds(30)));
        sleeper.Join();
    }

    [Fact]
    public void Ticket_of_dead_writer_is_skipped()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using Sidecar sidecar = Sidecar.Open(_folder.CacheFile + ".idx");
        // Simulates a writer that joined the queue and then died.
        new WriterQueue((byte*)sidecar.CommittedWord - 64).Join();
        cache.Set("key", "value");
        cache.Set("key", "again");
        Assert.Equal("again", cache.Get("key"));
    }

    [Fact]
    public void Press_method_closes_writer_queue_until_first_writer_is_served()
    {
        WriterQueue queue = new(_memory);
        Assert.True(queue.IsOpen);
        int first = queue.Join();
        Assert.True(queue.IsOpen);
        queue.Press();
        Assert.False(queue.IsOpen);
        queue.AdvanceTo(first + 1);
        Assert.True(queue.IsOpen);
    }

    [Fact]
    public void Queue_closed_by_dead_writer_reopens_on_next_write()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using Sidecar sidecar = Sidecar.Open(_folder.CacheFile + ".idx");
        WriterQueue queue = new((byte*)sidecar.CommittedWord - 64);
        queue.Join();
        queue.Press();
        cache.Set("key", "value");
        Assert.True(queue.IsEmpty);
        Assert.Equal("value", cache.Get("key"));
    }

    [Fact]
    public void Writer_with_zero_timeout_takes_no_ticket()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.LockTimeout = TimeSpan.Zero);
        using Sidecar sidecar = Sidecar.Open(_folder.CacheFile + ".idx");
        Assert.True(sidecar.TryLock());
        Assert.Throws<DistributedFileStoreCacheException>(() => cache.Set("key", "value"));
        Assert.True(new WriterQueue((byte*)sidecar.CommittedWord - 64).IsEmpty);
        sidecar.Unlock();
        cache.Set("key", "value");
    }
}
