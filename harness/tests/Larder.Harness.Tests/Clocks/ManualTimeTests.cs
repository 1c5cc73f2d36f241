using Larder.Harness.Clocks;

namespace Larder.Harness.Tests.Clocks;

public sealed class ManualTimeTests
{
    private readonly ManualTime _time = new();
    private readonly List<string> _fired = [];

    [Fact]
    public void Advance_moves_timestamp_and_wall_clock_together()
    {
        (long stamp, DateTimeOffset wall) = (_time.GetTimestamp(), _time.GetUtcNow());
        _time.AdvanceMs(1_500);
        Assert.Equal(TimeSpan.FromSeconds(1.5), _time.GetElapsedTime(stamp));
        Assert.Equal(wall.AddSeconds(1.5), _time.GetUtcNow());
    }

    [Fact]
    public void SetWall_changes_wall_clock_and_leaves_timestamp_unchanged()
    {
        (long stamp, DateTimeOffset wall) = (_time.GetTimestamp(), _time.GetUtcNow());
        _time.SetWall(TimeSpan.FromHours(-1));
        Assert.Equal(stamp, _time.GetTimestamp());
        Assert.Equal(wall.AddHours(-1), _time.GetUtcNow());
    }

    [Fact]
    public void Timers_fire_in_due_order_at_their_due_times()
    {
        using ITimer late = Timer("late", 30);
        using ITimer early = Timer("early", 10);
        using ITimer same = Timer("same", 10);
        _time.AdvanceMs(9);
        Assert.Empty(_fired);
        _time.AdvanceMs(100);
        Assert.Equal(["early 10", "same 10", "late 30"], _fired);
        Assert.Equal(109, Now);
    }

    [Fact]
    public void Periodic_timer_fires_once_per_period()
    {
        using ITimer timer = Timer("tick", 10, 20);
        _time.AdvanceMs(55);
        Assert.Equal(["tick 10", "tick 30", "tick 50"], _fired);
    }

    [Fact]
    public void Jump_fires_each_overdue_timer_once_and_restarts_its_period()
    {
        using ITimer tick = Timer("tick", 10, 20);
        using ITimer once = Timer("once", 30);
        using ITimer later = Timer("later", 60);
        _time.Jump(TimeSpan.FromMilliseconds(55));
        Assert.Equal(["tick 55", "once 55"], _fired);
        _time.AdvanceMs(20);
        Assert.Equal(["tick 55", "once 55", "later 60", "tick 75"], _fired);
    }

    [Fact]
    public void Timer_rescheduled_in_callback_fires_again_during_same_advance()
    {
        ITimer? timer = null;
        timer = _time.CreateTimer(
            _ =>
            {
                _fired.Add($"again {Now}");
                timer!.Change(TimeSpan.FromMilliseconds(10), Timeout.InfiniteTimeSpan);
            },
            null,
            TimeSpan.FromMilliseconds(10),
            Timeout.InfiniteTimeSpan);
        _time.AdvanceMs(25);
        Assert.Equal(["again 10", "again 20"], _fired);
        timer.Dispose();
    }

    [Fact]
    public void Disposed_and_unscheduled_timers_do_not_fire()
    {
        using ITimer unset = Timer("unset", null);
        ITimer gone = Timer("gone", 10);
        Assert.Equal((2, 1), (_time.Timers, _time.RunningTimers));
        gone.Dispose();
        _time.AdvanceMs(100);
        Assert.Empty(_fired);
        Assert.Equal((1, 0), (_time.Timers, _time.RunningTimers));
        Assert.False(gone.Change(TimeSpan.Zero, TimeSpan.Zero));
        Assert.True(unset.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan));
        _time.Advance(TimeSpan.Zero);
        Assert.Equal(["unset 100"], _fired);
    }

    [Fact]
    public void Held_timers_do_not_fire_and_reading_time_calls_Asked()
    {
        int asked = 0;
        ManualTime time = new() { HoldsTimers = true, Asked = () => asked++ };
        using ITimer timer = time.CreateTimer(_ => _fired.Add("held"), null, TimeSpan.Zero, TimeSpan.FromSeconds(1));
        time.AdvanceMs(10_000);
        Assert.Empty(_fired);
        Assert.Equal(0, asked);
        time.GetTimestamp();
        Assert.Equal(1, asked);
    }

    [Fact]
    public async Task AdvanceUntilAsync_completes_delay_of_another_thread()
    {
        Task delay = Task.Run(() => Task.Delay(TimeSpan.FromSeconds(30), _time));
        await _time.AdvanceUntilAsync(delay, TimeSpan.FromSeconds(1));
        Assert.InRange(Now, 30_000, long.MaxValue);
    }

    private long Now => (_time.GetTimestamp() / TimeSpan.TicksPerMillisecond) - (24 * 3600 * 1000);

    private ITimer Timer(string name, int? dueMs, int? periodMs = null) =>
        _time.CreateTimer(_ => _fired.Add($"{name} {Now}"), null, Of(dueMs), Of(periodMs));

    private static TimeSpan Of(int? ms) => ms is { } some ? TimeSpan.FromMilliseconds(some) : Timeout.InfiniteTimeSpan;
}
