using System.Runtime.InteropServices;

namespace Larder.FileStore.Tests;

/// <summary>The order of the writers that wait for the write lock.</summary>
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
    public void Sleeping_too_long_is_not_waiting_but_a_wait_ends_at_four_times_its_timeout(int sleptS, int elapsedS, int leftS) =>
        Assert.Equal(
            TimeSpan.FromSeconds(leftS),
            StallAwareTimeout.LeftOf(TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(sleptS), TimeSpan.FromSeconds(elapsedS)));

    [Fact]
    public void Of_a_sleep_no_more_counts_than_it_was_meant_to_take()
    {
        StallAwareTimeout patience = new(TimeSpan.FromHours(1));
        patience.Slept(10, TimeSpan.FromSeconds(2000));
        patience.Slept(10, TimeSpan.FromMilliseconds(4));
        Assert.Equal(TimeSpan.FromHours(1) - TimeSpan.FromMilliseconds(14), patience.Left);
    }

    [Fact]
    public void Tickets_are_served_in_the_order_they_were_taken_and_past_the_end_of_the_numbers()
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
    public void A_sleeper_is_woken_by_its_call_and_not_by_anothers()
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
    public void A_ticket_whose_holder_is_gone_is_passed_over()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using Sidecar sidecar = Sidecar.Open(_folder.CacheFile + ".idx");
        // A writer that queued and died.
        new WriterQueue((byte*)sidecar.CommittedWord - 64).Join();
        cache.Set("key", "value");
        cache.Set("key", "again");
        Assert.Equal("again", cache.Get("key"));
    }

    [Fact]
    public void One_that_has_waited_for_long_goes_before_all_that_come_by()
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
    public void A_first_that_died_after_it_had_waited_for_long_holds_nobody_up_for_ever()
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
    public void A_try_that_may_not_wait_takes_no_place_in_the_queue()
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
