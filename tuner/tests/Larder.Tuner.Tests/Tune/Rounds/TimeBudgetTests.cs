using Larder.Harness.Clocks;
using Larder.Tuner.Tune.Rounds;

namespace Larder.Tuner.Tests.Tune.Rounds;

public sealed class TimeBudgetTests
{
    private readonly ManualTime _clock = new();

    [Theory]
    [InlineData(10, 0.05)]
    [InlineData(60, 0.4)]
    [InlineData(100, 0.8)]
    public void Rounds_end_within_budget_despite_overhead(int rounds, double overheadSeconds)
    {
        var budget = new TimeBudget(TimeSpan.FromSeconds(165), _clock);
        for (int left = rounds; left > 0; left--)
        {
            double seconds = budget.RoundSeconds(left, kept: TimeSpan.FromSeconds(15));
            Assert.InRange(seconds, TimeBudget.MinSeconds, TimeBudget.MaxSeconds);
            _clock.Advance(TimeSpan.FromSeconds(seconds + overheadSeconds));
            budget.OnRound(TimeSpan.FromSeconds(seconds + overheadSeconds), seconds);
        }

        // The reserved time remains unused, unless even the shortest rounds need more than the budget.
        Assert.InRange(budget.Spent.TotalSeconds, 0, Math.Max(150.01, rounds * (TimeBudget.MinSeconds + overheadSeconds) + 0.01));
    }

    [Fact]
    public void Configured_seconds_override_budget() =>
        Assert.Equal(7, new TimeBudget(TimeSpan.FromSeconds(20), _clock, seconds: 7).RoundSeconds(100, TimeSpan.Zero));

    [Fact]
    public void ScheduledSeconds_is_between_one_and_two_shares_of_budget()
    {
        var budget = new TimeBudget(TimeSpan.FromSeconds(34), _clock);
        // An equal part for each of ten rounds is 3.4 s. Without 0.4 s of overhead and 1 s of warm-up, 2 s remain.
        Assert.Equal(2, budget.ScheduledSeconds(10, 1, needed: 0.1, aroundIt: 1, TimeSpan.Zero), 6);
        Assert.Equal(3.5, budget.ScheduledSeconds(10, 1, needed: 3.5, aroundIt: 1, TimeSpan.Zero), 6);
        Assert.Equal(4, budget.ScheduledSeconds(10, 1, needed: 60, aroundIt: 1, TimeSpan.Zero), 6);
        Assert.Equal(8.8, budget.ScheduledSeconds(10, 3, needed: 0, aroundIt: 1, TimeSpan.Zero), 6);
        Assert.Equal(TimeBudget.MinSeconds, budget.ScheduledSeconds(10, 1, needed: 60, aroundIt: 1, TimeSpan.FromSeconds(34)));
        Assert.Equal(0.6, new TimeBudget(TimeSpan.FromSeconds(34), _clock, seconds: 0.2).ScheduledSeconds(10, 3, 60, 1, TimeSpan.Zero), 6);
    }

    [Fact]
    public void Remaining_time_is_zero_after_budget_is_used()
    {
        var budget = new TimeBudget(TimeSpan.FromSeconds(1), _clock);
        _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(TimeSpan.Zero, budget.Left);
        Assert.Equal(TimeBudget.MinSeconds, budget.RoundSeconds(1, TimeSpan.Zero));
    }
}
