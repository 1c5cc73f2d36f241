using Larder.Client.Pipeline;

namespace Larder.Client.Tests.Pipeline;

public sealed class StreamPlanTests
{
    private TimeSpan _now;

    [Theory]
    [InlineData(0, 1, 1, 1, 1)]
    [InlineData(0, 2, 1, 1, 1)]
    [InlineData(0, 3, 1, 1, 1)]
    [InlineData(0, 4, 1, 1, 2)]
    [InlineData(0, 16, 1, 1, 8)]
    [InlineData(0, 256, 1, 1, 8)]
    [InlineData(0, 16, 3, 1, 2)]
    [InlineData(0, 16, 16, 1, 1)]
    [InlineData(1, 16, 1, 1, 1)]
    [InlineData(64, 2, 8, 64, 64)]
    public void PIPE_24_automatic_number_is_limited_by_the_processors(int configured, int processors, int gateways, int least, int most)
    {
        StreamPlan plan = StreamPlan.Of(configured, processors, gateways);
        Assert.Equal((least, most), (plan.Least, plan.Most));
    }

    [Theory]
    [InlineData(0.81, 16, 1)]
    [InlineData(0.80, 16, 0)]
    [InlineData(0.81, 15, 0)]
    [InlineData(0, 1_000, 0)]
    public void PIPE_24_stream_is_opened_if_the_open_ones_are_busy_and_have_enough_calls(double busy, int calls, int expected)
    {
        StreamPlan plan = new(1, 8);
        for (int interval = 1; interval < StreamPlan.BusyIntervals; interval++)
        {
            Assert.Equal(0, Decide(plan, (busy, calls)));
        }

        Assert.Equal(expected, Decide(plan, (busy, calls)));
    }

    [Fact]
    public void PIPE_24_interval_that_is_not_busy_restarts_the_count()
    {
        StreamPlan plan = new(1, 8);
        for (int interval = 0; interval < 100; interval++)
        {
            Assert.Equal(0, Decide(plan, (interval % StreamPlan.BusyIntervals == 0 ? 0.5 : 1, 500)));
        }
    }

    [Fact]
    public void PIPE_24_streams_are_opened_one_at_a_time_up_to_the_maximum()
    {
        StreamPlan plan = new(1, 3);
        Assert.Equal(1, DecideBusy(plan, 1));
        for (int interval = 0; interval < StreamPlan.BusyIntervals * 2; interval++)
        {
            Assert.Equal(0, plan.Decide([Use(1, 500)], opening: 1, Tick()));
        }

        Assert.Equal(1, DecideBusy(new StreamPlan(1, 3), 2));
        Assert.Equal(0, DecideBusy(new StreamPlan(1, 3), 3));
    }

    [Fact]
    public void PIPE_24_one_busy_stream_of_two_opens_no_third()
    {
        StreamPlan plan = new(1, 8);
        for (int interval = 0; interval < 100; interval++)
        {
            Assert.Equal(0, Decide(plan, (1, 500), (0.5, 500)));
        }
    }

    [Fact]
    public void PIPE_24_one_stream_is_closed_after_a_quiet_minute()
    {
        StreamPlan plan = new(1, 8);
        Assert.Equal(TimeSpan.FromMinutes(1), StreamPlan.QuietIntervals * StreamPlan.Interval);
        AssertNoChange(plan, StreamPlan.QuietIntervals - 1, (0.3, 5), (0, 0));
        Assert.Equal(-1, Decide(plan, (0.3, 5), (0, 0)));
        AssertNoChange(plan, StreamPlan.QuietIntervals * 2, (0, 0));
    }

    [Fact]
    public void PIPE_24_busy_interval_restarts_the_quiet_minute()
    {
        StreamPlan plan = new(1, 8);
        AssertNoChange(plan, StreamPlan.QuietIntervals - 1, (0.3, 5), (0, 0));
        AssertNoChange(plan, 1, (0.2, 5), (0.11, 5));
        AssertNoChange(plan, StreamPlan.QuietIntervals - 1, (0.3, 5), (0, 0));
        Assert.Equal(-1, Decide(plan, (0.3, 5), (0, 0)));
    }

    [Fact]
    public void PIPE_24_fixed_number_is_opened_two_at_a_time_and_kept()
    {
        StreamPlan plan = StreamPlan.Of(configured: 4, processors: 2, gateways: 1);
        Assert.Equal(2, Decide(plan, (0, 0)));
        Assert.Equal(0, plan.Decide([Use(0, 0)], opening: 2, Tick()));
        Assert.Equal(1, plan.Decide([Use(0, 0), Use(0, 0)], opening: 1, Tick()));
        AssertNoChange(plan, StreamPlan.QuietIntervals * 2, (0, 0), (0, 0), (0, 0), (0, 0));
        Assert.Equal(0, plan.Decide([.. Enumerable.Repeat(Use(1, 900), 5)], opening: 1, Tick()));
        Assert.Equal(-1, Decide(plan, (1, 900), (1, 900), (1, 900), (1, 900), (1, 900)));
    }

    [Fact]
    public void PIPE_22_failed_attempts_double_the_wait_up_to_a_minute()
    {
        StreamPlan plan = StreamPlan.Of(configured: 2, processors: 2, gateways: 1);
        _now = TimeSpan.FromHours(1);
        foreach (int seconds in (int[])[1, 2, 4, 8, 16, 32, 60, 60])
        {
            Assert.Equal(1, Decide(plan, (0, 0)));
            Assert.Equal(seconds, plan.Failed(_now).TotalSeconds);
            Assert.Equal(seconds, plan.Failed(_now).TotalSeconds);
            Assert.Equal(0, Decide(plan, (0, 0)));
            _now += TimeSpan.FromSeconds(seconds);
        }

        plan.Reset();
        Assert.Equal(1, Decide(plan, (0, 0)));
        Assert.Equal(1, plan.Failed(_now).TotalSeconds);
        Assert.Equal(2, Failed(plan, after: TimeSpan.FromSeconds(1)));
        Assert.Equal(1, Failed(plan, after: TimeSpan.FromHours(1)));
    }

    [Theory]
    [InlineData(100, 0, 25)]
    [InlineData(1_000, 1_000, 0)]
    [InlineData(600, 400, 0)]
    [InlineData(700, 300, 100)]
    [InlineData(8, 0, 0)]
    [InlineData(10, 0, 2)]
    public void PIPE_24_stream_moves_half_of_its_calls_above_the_mean(int first, int second, int moved)
    {
        StreamUse[] uses = [Use(0, first), Use(0, second)];
        new StreamPlan(1, 2).Decide(uses, opening: 0, Tick());
        Assert.Equal((moved, 0), (uses[0].CallsToMove, uses[1].CallsToMove));
    }

    // Returns the decision after enough intervals in which the given number of streams was busy.
    private int DecideBusy(StreamPlan plan, int streams)
    {
        int decision = 0;
        for (int interval = 0; interval < StreamPlan.BusyIntervals; interval++)
        {
            Assert.Equal(0, decision);
            decision = plan.Decide([.. Enumerable.Repeat(Use(1, 500), streams)], opening: 0, Tick());
        }

        return decision;
    }

    private void AssertNoChange(StreamPlan plan, int intervals, params (double Busy, int Calls)[] streams)
    {
        for (int interval = 0; interval < intervals; interval++)
        {
            Assert.Equal(0, Decide(plan, streams));
        }
    }

    private double Failed(StreamPlan plan, TimeSpan after)
    {
        _now += after;
        return plan.Failed(_now).TotalSeconds;
    }

    private int Decide(StreamPlan plan, params (double Busy, int Calls)[] streams) =>
        plan.Decide([.. streams.Select(static stream => Use(stream.Busy, stream.Calls))], opening: 0, Tick());

    private TimeSpan Tick() => _now += StreamPlan.Interval;

    private static StreamUse Use(double busy, int calls) => new() { Busy = busy, MostCalls = calls };
}
