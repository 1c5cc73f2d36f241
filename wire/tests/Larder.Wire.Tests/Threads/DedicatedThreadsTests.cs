using Larder.Wire.Threads;

namespace Larder.Wire.Tests.Threads;

public sealed class DedicatedThreadsTests : IDisposable
{
    private readonly DedicatedThreads _threads = new("test");
    private readonly ManualResetEventSlim _release = new();
    private int _begun;
    private int _ended;

    public void Dispose()
    {
        _release.Set();
        WaitUntil(() => _begun == _ended);
        _release.Dispose();
    }

    [Theory]
    [InlineData(DedicatedThreads.Most)]
    [InlineData(DedicatedThreads.Most + 1)]
    [InlineData(10 * DedicatedThreads.Most)]
    public void Blocked_work_uses_at_most_64_threads(int count)
    {
        for (int work = 0; work < count; work++)
        {
            _threads.Queue(new Work(Block));
        }

        WaitUntil(() => Volatile.Read(ref _begun) == DedicatedThreads.Most);
        Assert.Equal(DedicatedThreads.Most, _threads.Count);
        _release.Set();
        WaitUntil(() => Volatile.Read(ref _ended) == count);
        Assert.InRange(_threads.Count, 0, DedicatedThreads.Most);
    }

    [Fact]
    public void Timer_fires_while_other_callbacks_block()
    {
        using DedicatedTimer blocking = new(_threads, _ => Block(), null);
        blocking.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        WaitUntil(() => Volatile.Read(ref _begun) == 1);
        using ManualResetEventSlim fired = new();
        using DedicatedTimer timer = new(_threads, _ => fired.Set(), null);
        timer.Change(TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
        Assert.True(fired.Wait(TestCalls.Patience));
    }

    [Fact]
    public void Earlier_timer_does_not_wait_for_later_timer()
    {
        using DedicatedTimer later = new(_threads, static _ => { }, null);
        later.Change(TimeSpan.FromDays(40), Timeout.InfiniteTimeSpan);
        using ManualResetEventSlim fired = new();
        using DedicatedTimer earlier = new(_threads, _ => fired.Set(), null);
        earlier.Change(TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
        Assert.True(fired.Wait(TestCalls.Patience));
    }

    [Fact]
    public void Periodic_timer_fires_until_disposed()
    {
        int times = 0;
        DedicatedTimer timer = new(_threads, _ => Interlocked.Increment(ref times), null);
        timer.Change(TimeSpan.Zero, TimeSpan.FromMilliseconds(1));
        WaitUntil(() => Volatile.Read(ref times) >= 5);
        timer.Dispose();
        Assert.Equal(-1, timer.HeapIndex);
        Assert.False(timer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan));
    }

    [Fact]
    public void Timer_rejects_negative_times()
    {
        using DedicatedTimer timer = new(_threads, static _ => { }, null);
        Assert.Throws<ArgumentOutOfRangeException>(() => timer.Change(TimeSpan.FromMilliseconds(-2), Timeout.InfiniteTimeSpan));
        Assert.Throws<ArgumentOutOfRangeException>(() => timer.Change(TimeSpan.Zero, TimeSpan.FromMilliseconds(-2)));
        Assert.True(timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan));
    }

    [Fact]
    public void DedicatedTime_replaces_system_clock_but_no_other_clock()
    {
        TimeProvider other = new Larder.Harness.Clocks.ManualTime();
        Assert.Same(other, DedicatedTime.For(other));
        Assert.Same(DedicatedTime.Instance, DedicatedTime.For(TimeProvider.System));
        Assert.Same(DedicatedTime.Instance, DedicatedTime.For(DedicatedTime.Instance));
    }

    private void Block()
    {
        Interlocked.Increment(ref _begun);
        _release.Wait();
        Interlocked.Increment(ref _ended);
    }

    private static void WaitUntil(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, TestCalls.Patience));

    private sealed class Work(Action action) : IThreadPoolWorkItem
    {
        public void Execute() => action();
    }
}
