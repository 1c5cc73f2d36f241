using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Tune;

public sealed class TuneBudgetTests
{
    private readonly StoppedClock _clock = new();

    [Theory]
    [InlineData(10, 0.05)]
    [InlineData(60, 0.4)]
    [InlineData(100, 0.8)]
    public void Rounds_end_within_the_budget_whatever_they_cost_beyond_their_time(int rounds, double overheadSeconds)
    {
        var budget = new TuneBudget(TimeSpan.FromSeconds(165), _clock);
        for (int left = rounds; left > 0; left--)
        {
            double seconds = budget.RoundSeconds(left, kept: TimeSpan.FromSeconds(15));
            Assert.InRange(seconds, TuneBudget.LeastSeconds, TuneBudget.MostSeconds);
            _clock.Advance(seconds + overheadSeconds);
            budget.OnRound(TimeSpan.FromSeconds(seconds + overheadSeconds), seconds);
        }

        // What is kept for later is there, but where even the shortest rounds take more.
        Assert.InRange(budget.Spent.TotalSeconds, 0, Math.Max(150.01, rounds * (TuneBudget.LeastSeconds + overheadSeconds) + 0.01));
    }

    [Fact]
    public void Seconds_that_were_asked_for_are_kept_to() =>
        Assert.Equal(7, new TuneBudget(TimeSpan.FromSeconds(20), _clock, seconds: 7).RoundSeconds(100, TimeSpan.Zero));

    [Fact]
    public void Nothing_is_left_after_the_end()
    {
        var budget = new TuneBudget(TimeSpan.FromSeconds(1), _clock);
        _clock.Advance(2);
        Assert.Equal(TimeSpan.Zero, budget.Left);
        Assert.Equal(TuneBudget.LeastSeconds, budget.RoundSeconds(1, TimeSpan.Zero));
    }

    private sealed class StoppedClock : TimeProvider
    {
        private long _ticks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _ticks;

        public void Advance(double seconds) => _ticks += (long)(seconds * TimeSpan.TicksPerSecond);
    }
}
