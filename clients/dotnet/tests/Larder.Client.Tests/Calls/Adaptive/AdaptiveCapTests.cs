namespace Larder.Client.Tests.Adaptive;

/// <summary>Tests the guarantees of the adaptive limit in virtual time, against a simulated server whose best limit is known.</summary>
public sealed class AdaptiveCapTests
{
    // The server runs 10 calls concurrently, and a call takes 10 ms on average. So the maximum is 1,000 calls a second.
    private const int Parallelism = 10;
    private const double Mean = 0.010;

    [Theory]
    [InlineData(30, 0)]
    [InlineData(50, 0)]
    [InlineData(100, 0)]
    [InlineData(60, 20)]
    public void Adaptive_limit_meets_target_with_near_best_throughput(int targetMs, int networkMs)
    {
        (double best, _) = BestFixed(targetMs / 1000.0, from: 30, to: 120, networkMs / 1000.0);
        AdaptiveWorldCap cap = new(targetMs);
        AdaptiveCapSimulation.Outcome adaptive = new AdaptiveCapSimulation(Parallelism, Mean, null, networkMs / 1000.0).Run(120, 30, 120, cap);
        Assert.InRange(adaptive.P999Seconds * 1000, targetMs * 0.5, targetMs * 1.1);
        Assert.True(adaptive.CallsPerSecond >= best * 0.9, $"{adaptive.CallsPerSecond} of {best}");
        Assert.False(cap.IsOutOfReach);
    }

    [Fact]
    public void Adaptive_limit_keeps_near_best_throughput_while_server_is_slow()
    {
        (_, int best) = BestFixed(0.050, 30, 60);
        AdaptiveCapSimulation.Outcome fixedCap = new AdaptiveCapSimulation(Parallelism, Mean, SlowFromAMinuteOn).Run(120, 60, 75, best);
        AdaptiveWorldCap cap = new(50);
        AdaptiveCapSimulation.Outcome adaptive = new AdaptiveCapSimulation(Parallelism, Mean, SlowFromAMinuteOn).Run(120, 60, 75, cap);
        Assert.True(adaptive.CallsPerSecond >= fixedCap.CallsPerSecond * 0.9, $"{adaptive.CallsPerSecond} of {fixedCap.CallsPerSecond}");
    }

    [Fact]
    public void Adaptive_limit_restores_latency_and_throughput_after_a_slow_period()
    {
        AdaptiveWorldCap cap = new(50);
        AdaptiveCapSimulation.Outcome after = new AdaptiveCapSimulation(Parallelism, Mean, SlowFromAMinuteOn).Run(200, 100, 200, cap);
        Assert.InRange(after.P999Seconds, 0, 0.055);
        Assert.True(after.CallsPerSecond > 900, $"{after.CallsPerSecond}");
        Assert.False(cap.IsOutOfReach);
    }

    [Fact]
    public void Adaptive_limit_reports_unreachable_target_and_keeps_throughput()
    {
        // A call takes 5 to 15 ms, so no limit can keep calls under 4 ms.
        AdaptiveWorldCap cap = new(4);
        AdaptiveCapSimulation.Outcome outcome = new AdaptiveCapSimulation(Parallelism, Mean).Run(120, 30, 120, cap);
        Assert.True(cap.IsOutOfReach);
        Assert.True(outcome.CallsPerSecond >= 800, $"{outcome.CallsPerSecond}");
    }

    [Fact]
    public void Adaptive_limit_does_not_grow_without_waiting_callers()
    {
        AdaptiveWorldCap cap = new(50, callersWait: false);
        for (int i = 0; i < 50_000; i++)
        {
            cap.Ended(i / 1000.0, (i + 5) / 1000.0);
        }

        Assert.Equal(16, cap.Limit);
    }

    [Fact]
    public void Adaptive_limit_stays_within_the_configured_maximum()
    {
        AdaptiveWorldCap cap = new(1_000, most: 20);
        new AdaptiveCapSimulation(Parallelism, Mean).Run(60, 0, 60, cap);
        Assert.Equal(20, cap.Limit);
    }

    private static double SlowFromAMinuteOn(double at) => at is >= 60 and < 75 ? 8 : 1;

    /// <summary>Returns the best throughput of all fixed limits that meet the target, and the largest of these limits.</summary>
    private static (double CallsPerSecond, int Cap) BestFixed(double targetSeconds, double from, double to, double networkSeconds = 0)
    {
        (double CallsPerSecond, int Cap) best = (0, 1);
        for (int cap = 1; cap <= 128; cap = Math.Max(cap + 1, cap * 5 / 4))
        {
            AdaptiveCapSimulation.Outcome outcome = new AdaptiveCapSimulation(Parallelism, Mean, null, networkSeconds).Run(to, from, to, cap);
            if (outcome.P999Seconds <= targetSeconds)
            {
                best = (Math.Max(best.CallsPerSecond, outcome.CallsPerSecond), cap);
            }
        }

        return best;
    }
}
