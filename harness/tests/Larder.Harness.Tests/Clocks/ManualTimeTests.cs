using Larder.Harness.Clocks;

namespace Larder.Harness.Tests.Clocks;

public sealed class ManualTimeTests
{
    private readonly ManualTime _time = new();
    private readonly List<string> _fired = [];

    [Fact]
    public void It_stands_until_it_is_moved_and_both_its_clocks_move_together()
    {
        (long stamp, DateTimeOffset wall) = (_time.GetTimestamp(), _time.GetUtcNow());
        _time.AdvanceMs(1_500);
        Assert.Equal(TimeSpan.FromSeconds(1.5), _time.GetElapsedTime(stamp));
        Assert.Equal(wall.AddSeconds(1.5), _time.GetUtcNow());
    }

    [Fact]
    public void The_time_of_day_can_be_set_and_the_time_that_passes_is_not_touched()
    {
        (long stamp, DateTimeOffset wall) = (_time.GetTimestamp(), _time.GetUtcNow());
        _time.SetWall(TimeSpan.FromHours(-1));
        Assert.Equal(stamp, _time.GetTimestamp());
        Assert.Equal(wall.AddHours(-1), _time.GetUtcNow());
    }

    [Fact]
    public void Timers_fire_in_the_order_of_their_times_each_at_its_own()
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
    public void A_timer_with_a_period_fires_once_for_each()
    {
        using ITimer timer = Timer("tick", 10, 20);
        _time.AdvanceMs(55);
        Assert.Equal(["tick 10", "tick 30", "tick 50"], _fired);
    }

    [Fact]
    public void After_a_jump_each_timer_that_came_due_fires_once_and_its_period_begins_there()
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
    public void A_timer_that_a_callback_sets_again_fires_on_the_same_way()
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
    public void A_timer_that_is_not_set_or_disposed_of_does_not_fire()
    {
        using ITimer unset = Timer("unset", null);
        ITimer gone = Timer("gone", 10);
        Assert.Equal(2, _time.Timers);
        gone.Dispose();
        _time.AdvanceMs(100);
        Assert.Empty(_fired);
        Assert.Equal(1, _time.Timers);
        Assert.False(gone.Change(TimeSpan.Zero, TimeSpan.Zero));
        Assert.True(unset.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan));
        _time.Advance(TimeSpan.Zero);
        Assert.Equal(["unset 100"], _fired);
    }

    [Fact]
    public void A_clock_may_hold_its_timers_and_say_when_it_is_asked()
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
    public async Task What_other_threads_time_is_waited_for_in_steps()
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
