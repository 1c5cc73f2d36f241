using Larder.Report.Runs;


namespace Larder.Report.Tests.Runs;

public sealed class KneeChoiceTests
{
    private static readonly TuneTarget s_target = new(0.999, 5_000);

    [Fact]
    public void KneeChoice_returns_smallest_rung_near_best_throughput_within_target()
    {
        SearchRung[] rungs = [Rung(1, 100, 1_000), Rung(2, 198, 2_000), Rung(3, 200, 3_000), Rung(5, 400, 9_000)];
        ChosenKnee knee = KneeChoice.Of(rungs, s_target)!;
        Assert.Equal(1, knee.SearchIndex);
        Assert.Equal(
            "2 in flight is the smallest of 2 steps with at least 98 % of the best throughput (200/s) among the 3 of 4 steps with p99.9 < 5 ms.",
            knee.Why);
    }

    [Fact]
    public void KneeChoice_describes_the_only_good_rung_as_best()
    {
        SearchRung[] rungs = [Rung(1, 100, 1_000), Rung(2, 200, 2_000), Rung(3, 210, 6_000)];
        Assert.Equal(
            "2 in flight has the best throughput (200/s) among the 2 of 3 steps with p99.9 < 5 ms; the others have less than 98 % of it.",
            KneeChoice.Of(rungs, s_target)!.Why);
        Assert.Equal("1 in flight is the only one of 3 steps with p99.9 < 1.5 ms (100/s).", KneeChoice.Of(rungs, new TuneTarget(0.999, 1_500))!.Why);
    }

    [Fact]
    public void KneeChoice_prefers_fewer_channels_at_equal_concurrency()
    {
        SearchRung[] rungs = [Rung(8, 100, 1_000, channels: 1), Rung(8, 100, 1_000, channels: 2)];
        Assert.Equal(0, KneeChoice.Of(rungs, s_target)!.SearchIndex);
    }

    [Fact]
    public void Rung_with_failed_calls_is_not_chosen()
    {
        SearchRung[] rungs = [Rung(1, 100, 1_000), Rung(2, 9_000, 10) with { Verdict = new(StepLimit.Errors, "all failed") }];
        Assert.Equal(0, KneeChoice.Of(rungs, s_target)!.SearchIndex);
    }

    [Fact]
    public void Unreachable_target_is_explained_with_nearest_rung()
    {
        SearchRung[] rungs = [Rung(1, 100, 30_000) with { Verdict = new(StepLimit.Network, "30 ms go by on the way") }, Rung(2, 200, 31_000)];
        Assert.Null(KneeChoice.Of(rungs, s_target));
        string why = KneeChoice.WhyNone(rungs, s_target);
        Assert.Contains("30.00 ms", why, StringComparison.Ordinal);
        Assert.Contains("on the way", why, StringComparison.Ordinal);
    }

    private static SearchRung Rung(int callers, double rate, double p999Us, int channels = 0) => new()
    {
        Callers = callers,
        Channels = channels,
        Repetitions =
        [
            new Measurement
            {
                RequestsPerSecond = rate,
                Latency = new LatencySummary
                {
                    Samples = 100_000,
                    P50Us = 1,
                    P90Us = 1,
                    P99Us = 1,
                    P999Us = p999Us,
                    MaxUs = p999Us,
                },
            },
        ],
    };
}
