using Larder.Lab.Known;

namespace Larder.Lab.Tests.Known;

public sealed class AnalyticRateTests
{
    [Fact]
    public void Latency_of_single_server_matches_queueing_theory()
    {
        // M/D/1 queue: the mean wait is ρ / (2 (1 − ρ)) service times, which is half a service time at ρ = 0.5. P(no wait) = 1 − ρ, so half of the calls take
        // one service time.
        Assert.Equal(0.010, AnalyticRate.Latency(1, 0.010, 50, 0.49), 4);
        Assert.InRange(AnalyticRate.Latency(1, 0.010, 50, 0.52), 0.01001, 0.012);
        // P(wait ≤ t) for t < service time is (1 − ρ) e^(λ t): 0.7 at t = ln(1.4) / λ.
        Assert.InRange(AnalyticRate.Latency(1, 0.010, 50, 0.7), 0.010 + (Math.Log(1.4) / 50) - 0.0001, 0.010 + (Math.Log(1.4) / 50) + 0.0001);
    }

    [Fact]
    public void Highest_returns_rate_at_which_percentile_reaches_limit()
    {
        double rate = AnalyticRate.Highest(10, 0.010, 0.99, 0.015)!.Value;
        Assert.InRange(AnalyticRate.Latency(10, 0.010, rate, 0.99), 0.0145, 0.015);
        Assert.True(AnalyticRate.Latency(10, 0.010, rate * 1.03, 0.99) > 0.015);
        Assert.True(AnalyticRate.Highest(10, 0.010, 0.99, 0.030) > rate);
    }

    [Fact]
    public void Highest_returns_null_for_latency_limit_below_service_time() => Assert.Null(AnalyticRate.Highest(10, 0.010, 0.99, 0.0099));
}
