using Larder.Tuner.Adaptive;

namespace Larder.Tuner.Tests.Adaptive;

public sealed class AdaptiveCapTests
{
    /// <summary>10 calls at once, 10 ms each: 1,000 a second at most.</summary>
    private const int Parallelism = 10;
    private const double Mean = 0.010;

    [Theory]
    [InlineData(30)]
    [InlineData(50)]
    [InlineData(100)]
    public void A_reachable_target_is_held_within_a_tenth_at_nine_tenths_of_the_best_fixed_caps_throughput(int targetMs)
    {
        var (best, _) = BestFixed(targetMs / 1000.0, slowness: null, from: 30, to: 120);
        var controller = Controller(targetMs);
        var adaptive = new CappedWorld(Parallelism, Mean).Run(120, 30, 120, 0, controller);
        Assert.InRange(adaptive.P999Seconds * 1000, targetMs * 0.5, targetMs * 1.1);
        Assert.True(adaptive.CallsPerSecond >= best * 0.9, $"{adaptive.CallsPerSecond} of {best}");
        Assert.False(controller.TargetOutOfReach);
    }

    [Fact]
    public void A_server_eight_times_slower_for_a_while_keeps_nine_tenths_of_what_a_fixed_cap_reaches()
    {
        static double Slow(double at) => at is >= 60 and < 75 ? 8 : 1;
        var (_, cap) = BestFixed(0.050, null, 30, 60);
        var fixedCap = new CappedWorld(Parallelism, Mean, Slow).Run(120, 60, 75, cap);
        var adaptive = new CappedWorld(Parallelism, Mean, Slow).Run(120, 60, 75, 0, Controller(50));
        Assert.True(adaptive.CallsPerSecond >= fixedCap.CallsPerSecond * 0.9, $"{adaptive.CallsPerSecond} of {fixedCap.CallsPerSecond}");
    }

    [Fact]
    public void After_a_slow_time_the_target_is_held_again()
    {
        static double Slow(double at) => at is >= 60 and < 75 ? 8 : 1;
        var controller = Controller(50);
        var after = new CappedWorld(Parallelism, Mean, Slow).Run(200, 100, 200, 0, controller);
        Assert.InRange(after.P999Seconds, 0, 0.055);
        Assert.True(after.CallsPerSecond > 900);
        Assert.False(controller.TargetOutOfReach);
    }

    [Fact]
    public void A_target_out_of_reach_is_reported_and_not_chased_into_the_ground()
    {
        // No cap makes a call of 5 to 15 ms end within 4.
        var controller = Controller(4);
        var outcome = new CappedWorld(Parallelism, Mean).Run(120, 30, 120, 0, controller);
        Assert.True(controller.TargetOutOfReach);
        Assert.True(outcome.CallsPerSecond >= 800, $"{outcome.CallsPerSecond}");
    }

    [Fact]
    public void It_does_not_grow_while_the_application_asks_for_less_than_the_cap()
    {
        var controller = Controller(50);
        for (var i = 0; i < 50_000; i++)
        {
            controller.Completed(TimeSpan.FromMilliseconds(i), TimeSpan.FromMilliseconds(i + 5), othersWaited: false);
        }

        Assert.Equal(16, controller.Limit);
    }

    [Fact]
    public void Calls_begun_before_a_change_do_not_count()
    {
        var controller = new AdaptiveCap(new AdaptiveCapOptions { Target = TimeSpan.FromMilliseconds(10) }, now: TimeSpan.FromSeconds(1));
        for (var i = 0; i < 10_000; i++)
        {
            controller.Completed(TimeSpan.Zero, TimeSpan.FromSeconds(2), othersWaited: true);
        }

        Assert.Equal(16, controller.Limit);
    }

    [Fact]
    public void The_cap_stays_between_its_bounds()
    {
        var quick = new AdaptiveCap(new AdaptiveCapOptions { Target = TimeSpan.FromSeconds(1), Most = 20 }, TimeSpan.Zero);
        new CappedWorld(Parallelism, Mean).Run(60, 0, 60, 0, quick);
        Assert.Equal(20, quick.Limit);
        var slow = new AdaptiveCap(new AdaptiveCapOptions { Target = TimeSpan.FromMilliseconds(1), Least = 12 }, TimeSpan.Zero);
        new CappedWorld(Parallelism, Mean).Run(60, 0, 60, 0, slow);
        Assert.InRange(slow.Limit, 12, 16);
    }

    private static AdaptiveCap Controller(int targetMs) =>
        new(new AdaptiveCapOptions { Target = TimeSpan.FromMilliseconds(targetMs) }, TimeSpan.Zero);

    /// <summary>The best throughput of any fixed cap that holds the target, and the largest such cap.</summary>
    private static (double CallsPerSecond, int Cap) BestFixed(double targetSeconds, Func<double, double>? slowness, double from, double to)
    {
        (double CallsPerSecond, int Cap) best = (0, 1);
        for (var cap = 1; cap <= 128; cap = Math.Max(cap + 1, cap * 5 / 4))
        {
            var outcome = new CappedWorld(Parallelism, Mean, slowness).Run(to, from, to, cap);
            if (outcome.P999Seconds <= targetSeconds)
            {
                best = (Math.Max(best.CallsPerSecond, outcome.CallsPerSecond), cap);
            }
        }

        return best;
    }
}
