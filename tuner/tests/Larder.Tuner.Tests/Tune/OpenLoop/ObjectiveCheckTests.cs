using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Search;
using Larder.Tuner.Tune.OpenLoop;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tests.Tune.OpenLoop;

public sealed class ObjectiveCheckTests
{
    private static readonly TuneTarget s_target = new(0.99, 5_000);

    [Fact]
    public void Step_within_limit_has_no_miss_and_no_verdict()
    {
        RateStep step = StepOf(Calls(1_000));
        Assert.Null(step.Miss);
        Assert.Null(step.Verdict);
        Assert.Equal("met", step.Outcome);
    }

    [Fact]
    public void Step_without_calls_misses_target()
    {
        var none = new LoadHistogram();
        RateStep step = StepOf(Calls(1) with { Histogram = none, ServiceHistogram = none, LateHistogram = none, RequestsPerSecond = 0 });
        Assert.Equal((null, "no call was measured"), (step.TargetUs, step.Miss));
    }

    [Fact]
    public void Unstarted_calls_are_misses()
    {
        RateStep step = StepOf(Calls(1_000) with { Unstarted = 500, RequestsPerSecond = 9_500 });
        Assert.Null(step.TargetUs);
        Assert.StartsWith("failed or not started calls: 500; 9,500 of 10,000 a second", step.Miss, StringComparison.Ordinal);
    }

    [Fact]
    public void Miss_with_late_load_generator_is_attributed_to_the_generator()
    {
        Round behind = Calls(20_000) with
        {
            ServiceHistogram = Of(1_000),
            LateHistogram = Of(19_000),
            RequestsPerSecond = 9_000,
            Unstarted = 1_000,
            ServerCpu = 1.9,
        };
        RateStep step = StepOf(behind);
        Assert.Equal((StepLimit.Generator, "not judged"), (step.Verdict!.Limit, step.Outcome));
        Assert.Contains("made 9,000 of 10,000 a second", step.Verdict.Why, StringComparison.Ordinal);
        // The latency is the same, but now the calls start on time. They have therefore waited for the server.
        Assert.NotEqual(StepLimit.Generator, StepOf(behind with { LateHistogram = Of(10), ServiceHistogram = Of(19_000) }).Verdict!.Limit);
    }

    [Fact]
    public void Miss_caused_by_stalls_is_not_judged_unless_queue_grew()
    {
        var stalls = new MachineStalls { Seconds = 1, Over5Ms = 2, WorstUs = 20_000, P999Us = 100, SecondsOver5Ms = 0.03, SecondsOver1Ms = 0.03 };
        RateStep step = StepOf(Calls(9_000) with { Stalls = stalls });
        Assert.Equal("not judged", step.Outcome);
        Assert.Equal(StepLimit.Stalls, step.Verdict!.Limit);
        Assert.StartsWith("machine stalls: 2 over 5 ms, worst 20.0 ms", step.Verdict.Why, StringComparison.Ordinal);
        Assert.True(StepOf(Calls(9_000) with { Stalls = stalls, RequestsPerSecond = 9_000, Unstarted = 1_000 }).IsMissed);
        Assert.Equal("not judged", StepOf(Calls(9_000) with { OthersCpu = 1 }).Outcome);
    }

    [Fact]
    public void RateAnswer_describes_proved_rate_and_what_limits_it()
    {
        RateStep missed = StepOf(Calls(9_000), 13_500);
        var proved = new ProvedRate { RatePerSecond = 12_000, Cap = 34, TargetUs = 3_100, LowUs = 2_800, HighUs = 3_400, BreaksAt = 13_500 };
        Assert.Equal(
            "12,000 calls per second with a concurrency limit of 34, p99 3.10 ms (2.80 ms to 3.40 ms); the limit is between this rate and 13,500, "
                + "the lowest higher rate that missed the target.",
            RateAnswer.Of(s_target, proved, [missed]));
        Assert.EndsWith(
            "at 13,500 the generator falls behind its schedule, so higher rates are unknown.",
            RateAnswer.Of(s_target, proved, [missed with { Verdict = new StepVerdict(StepLimit.Generator, "") }]),
            StringComparison.Ordinal);
        Assert.EndsWith(
            "(at least 2.80 ms, upper bound unknown); higher rates were not tried.",
            RateAnswer.Of(s_target, proved with { HighUs = null, BreaksAt = null }, []),
            StringComparison.Ordinal);
        Assert.StartsWith(
            "No answer: no scheduled rate meets p99 < 5 ms; the nearest was 13,500 calls per second (p99 9.00 ms). Bottleneck: ",
            RateAnswer.Of(s_target, null, [StepOf(Calls(20_000)), missed]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Percentile_of_unfinished_calls_is_unknown() =>
        Assert.Equal(
            ("unknown", "3.00 ms (at least 2.00 ms, upper bound unknown)"),
            (RateAnswer.FigureOf(null, null, null), RateAnswer.FigureOf(3_000, 2_000, null)));

    [Theory]
    [InlineData(5_549_912, "the 55,499 slowest of the confirmation's 5,549,912 calls came in too few separate bursts; measure")]
    [InlineData(1_000, "the 10 slowest of the confirmation's 1,000 calls came in too few separate bursts")]
    [InlineData(900, "the confirmation made only 900 calls, of which 9 are above it; measure longer (--budget).")]
    [InlineData(40, "the confirmation made only 40 calls, of which 1 is above it; measure longer (--budget).")]
    public void NoUpperBound_explains_missing_upper_bound(long calls, string why) =>
        Assert.StartsWith($"The upper bound of p99 is unknown because {why}", RunNotes.NoUpperBound(calls, s_target), StringComparison.Ordinal);

    private static RateStep StepOf(Round round, double rate = 10_000) =>
        new RateTrial(new PlannedTrial(RateStepKind.Probe, rate, 13), round, Utilization: 0.5)
            .StepFor(s_target, new ClientVariant("dotnet", "pipeline"), noiseLimit: 0.1);

    /// <summary>Creates a round of 10,000 calls of equal latency.</summary>
    private static Round Calls(double us) => new()
    {
        RequestsPerSecond = 10_000,
        MeasuredSeconds = 1,
        Histogram = Of(us),
        ServiceHistogram = Of(us),
        LateHistogram = Of(20),
        Hits = 5_000,
        Misses = 0,
        Errors = new Dictionary<string, long>(),
        ClientCpu = 0.3,
        ServerCpu = 0.3,
        OthersCpu = 0,
    };

    private static LoadHistogram Of(double us)
    {
        var histogram = new LoadHistogram();
        for (int i = 0; i < 10_000; i++)
        {
            histogram.Record((long)(us * 1_000));
        }

        return histogram;
    }
}
