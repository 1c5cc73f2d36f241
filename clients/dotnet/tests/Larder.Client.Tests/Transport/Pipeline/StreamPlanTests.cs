using Larder.Client.Pipeline;

namespace Larder.Client.Tests.Pipeline;

public sealed class StreamPlanTests
{
    private const double Full = 1;

    private TimeSpan _now;

    [Theory]
    [InlineData(0, 1, 1, 1)]
    [InlineData(0, 2, 1, 1)]
    [InlineData(0, 3, 1, 1)]
    [InlineData(0, 4, 1, 2)]
    [InlineData(0, 16, 1, 8)]
    [InlineData(0, 256, 1, 8)]
    [InlineData(1, 16, 1, 1)]
    [InlineData(64, 2, 64, 64)]
    public void PIPE_24_automatic_number_is_limited_by_the_processors(int configured, int processors, int least, int most)
    {
        StreamPlan plan = StreamPlan.Of(configured, processors);
        Assert.Equal((least, most), (plan.Least, plan.Most));
    }

    [Theory]
    [InlineData(0.81, 16, 1)]
    [InlineData(0.80, 16, 0)]
    [InlineData(0.81, 15, 0)]
    [InlineData(0, 1_000, 0)]
    public void PIPE_24_stream_is_opened_if_the_open_ones_are_busy_and_have_enough_calls(double busy, int calls, int expected) =>
        Assert.Equal(expected, Decide(new StreamPlan(1, 8), (busy, calls)));

    [Fact]
    public void PIPE_24_streams_are_opened_one_at_a_time_up_to_the_maximum()
    {
        StreamPlan plan = new(1, 3);
        Assert.Equal(1, Decide(plan, (Full, 500)));
        Assert.Equal(0, plan.Decide([Use(Full, 500)], opening: 1, Tick()));
        plan.Opened();

        // The new stream gets its first calls in the next interval.
        Assert.Equal(0, Decide(plan, (Full, 500), (Full, 500)));
        Assert.Equal(1, Decide(plan, (Full, 500), (Full, 500)));
        plan.Opened();
        Decide(plan, (Full, 300), (Full, 300), (Full, 300));
        Assert.Equal(0, Decide(plan, (Full, 300), (Full, 300), (Full, 300)));
    }

    [Fact]
    public void PIPE_24_one_busy_stream_of_two_opens_no_third() => Assert.Equal(0, Decide(new StreamPlan(1, 8), (Full, 500), (0.5, 500)));

    [Fact]
    public void PIPE_24_one_stream_is_closed_after_a_quiet_minute()
    {
        StreamPlan plan = new(1, 8);
        Assert.Equal(0, Decide(plan, (0.3, 5), (0, 0)));
        _now += StreamPlan.QuietTime - StreamPlan.Interval - TimeSpan.FromMilliseconds(1);
        Assert.Equal(0, Decide(plan, (0.3, 5), (0, 0)));
        Assert.Equal(-1, Decide(plan, (0.3, 5), (0, 0)));
        _now += StreamPlan.QuietTime;
        Assert.Equal(0, Decide(plan, (0, 0)));
    }

    [Fact]
    public void PIPE_24_busy_interval_restarts_the_quiet_minute()
    {
        StreamPlan plan = new(1, 8);
        Decide(plan, (0.3, 5), (0, 0));
        _now += StreamPlan.QuietTime;
        Assert.Equal(0, Decide(plan, (0.2, 5), (0.11, 5)));
        Assert.Equal(0, Decide(plan, (0.3, 5), (0, 0)));
        _now += StreamPlan.QuietTime;
        Assert.Equal(-1, Decide(plan, (0.3, 5), (0, 0)));
    }

    [Fact]
    public void PIPE_24_fixed_number_is_opened_at_once_and_kept()
    {
        StreamPlan plan = StreamPlan.Of(configured: 4, processors: 2);
        Assert.Equal(3, Decide(plan, (0, 0)));
        Assert.Equal(1, plan.Decide([Use(0, 0)], opening: 2, Tick()));
        _now += StreamPlan.QuietTime * 2;
        Assert.Equal(0, Decide(plan, (0, 0), (0, 0), (0, 0), (0, 0)));
        Assert.Equal(-1, Decide(plan, (Full, 900), (Full, 900), (Full, 900), (Full, 900), (Full, 900)));
    }

    [Fact]
    public void PIPE_24_failed_attempts_double_the_wait_up_to_a_minute()
    {
        StreamPlan plan = StreamPlan.Of(configured: 2, processors: 2);
        foreach (int seconds in (int[])[1, 2, 4, 8, 16, 32, 60, 60])
        {
            Assert.Equal(1, Decide(plan, (0, 0)));
            Assert.Equal(seconds, plan.Failed(_now).TotalSeconds);
            Assert.Equal(0, Decide(plan, (0, 0)));
            _now += TimeSpan.FromSeconds(seconds);
        }

        plan.Opened();
        Assert.Equal(1, plan.Failed(_now).TotalSeconds);
    }

    [Theory]
    [InlineData(100, 0, 25)]
    [InlineData(1_000, 1_000, 0)]
    [InlineData(600, 400, 0)]
    [InlineData(700, 300, 100)]
    [InlineData(8, 0, 0)]
    [InlineData(10, 0, 2)]
    public void PIPE_24_stream_passes_on_half_of_its_calls_above_the_mean(int first, int second, int passes)
    {
        StreamUse[] uses = [Use(0, first), Use(0, second)];
        new StreamPlan(1, 2).Decide(uses, opening: 0, Tick());
        Assert.Equal((passes, 0), (uses[0].PassesOn, uses[1].PassesOn));
    }

    private int Decide(StreamPlan plan, params (double Busy, int Calls)[] streams) =>
        plan.Decide([.. streams.Select(static stream => Use(stream.Busy, stream.Calls))], opening: 0, Tick());

    private TimeSpan Tick() => _now += StreamPlan.Interval;

    private static StreamUse Use(double busy, int calls) => new() { Busy = busy, MostCalls = calls };
}
