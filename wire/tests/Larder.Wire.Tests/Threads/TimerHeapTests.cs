using Larder.Wire.Threads;

namespace Larder.Wire.Tests.Threads;

public sealed class TimerHeapTests
{
    private readonly TimerHeap _heap = new();

    [Fact]
    public void Timers_are_taken_in_order_of_due_time()
    {
        Random random = new(20261128);
        List<DedicatedTimer> timers = [.. Enumerable.Range(0, 500).Select(_ => NewTimer())];
        foreach (DedicatedTimer timer in timers)
        {
            _heap.Set(timer, random.Next(1_000));
        }

        // About half of the timers, at random positions, are removed or get another due time.
        foreach (DedicatedTimer timer in timers.Where(_ => random.Next(2) == 0))
        {
            _heap.Set(timer, random.Next(3) == 0 ? long.MaxValue : random.Next(1_000));
        }

        long[] expected = [.. timers.Select(static timer => timer.DueAt).Where(static dueAt => dueAt != long.MaxValue).Order()];
        Assert.Equal(expected.Length, _heap.Count);
        List<long> taken = [];
        while (_heap.NextDueAt is not long.MaxValue and var next)
        {
            Assert.True(_heap.TryTakeDue(next, out _));
            taken.Add(next);
        }

        Assert.Equal(expected, taken);
        Assert.All(timers, static timer => Assert.Equal(-1, timer.HeapIndex));
    }

    [Fact]
    public void Timer_is_due_exactly_at_its_time()
    {
        _heap.Set(NewTimer(), 100);
        Assert.False(_heap.TryTakeDue(99, out _));
        Assert.True(_heap.TryTakeDue(100, out _));
        Assert.False(_heap.TryTakeDue(1_000, out _));
    }

    [Fact]
    public void Periodic_timer_is_due_again_after_its_period()
    {
        DedicatedTimer timer = NewTimer();
        timer.Change(Timeout.InfiniteTimeSpan, TimeSpan.FromSeconds(1));
        _heap.Set(timer, 100);
        Assert.True(_heap.TryTakeDue(150, out _));
        Assert.Equal(100 + timer.PeriodTicks, _heap.NextDueAt);
        // If several periods were missed, the timer fires only once.
        Assert.True(_heap.TryTakeDue(100 + (10 * timer.PeriodTicks), out _));
        Assert.Equal(100 + (10 * timer.PeriodTicks), _heap.NextDueAt);
    }

    private static DedicatedTimer NewTimer() => new(DedicatedThreads.Shared, static _ => { }, null);
}
