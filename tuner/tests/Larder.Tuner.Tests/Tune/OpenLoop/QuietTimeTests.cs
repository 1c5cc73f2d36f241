using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Search;
using Larder.Tuner.Tune.OpenLoop;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tests.Tune.OpenLoop;

public sealed class QuietTimeTests
{
    private const double Slow = 0.009;
    private static readonly TuneTarget s_target = new(0.99, 5_000);

    [Fact]
    public void Slow_calls_during_a_stall_are_excluded_and_reported()
    {
        // 2 % of the calls are slow, all of them in the slices from 0.40 s to 0.44 s.
        Round round = RoundOf(slowFrom: 0.40, slowTo: 0.44) with { StallPeriods = [new(0.400, 0.409)] };
        RateStep step = StepOf(round);
        Assert.Equal("met", step.Outcome);
        Assert.InRange(step.TargetUs!.Value, 990, 1_010);
        Assert.Equal((1, 0.009, 0.04), (step.Excluded!.Stalls, step.Excluded.StalledSeconds, step.Excluded.Seconds));
        Assert.InRange(step.Excluded.WithStallsUs!.Value, 8_990, 9_010);
        Assert.Equal("excluding 1 stall of the machine (9 ms in total, 2 % of the time excluded; 9.00 ms with stalls)", step.Excluded.ToString());
        // The throughput and the latencies of the step are still those of the whole measurement.
        Assert.Equal(20_000, step.Measured.Latency.Samples);
    }

    [Fact]
    public void Slow_calls_outside_of_stalls_are_a_miss()
    {
        // A pause of the client, which the stall meter does not see, and a stall at another time.
        RateStep step = StepOf(RoundOf(slowFrom: 1.40, slowTo: 1.46) with { StallPeriods = [new(0.400, 0.409)] });
        Assert.Equal("missed", step.Outcome);
        Assert.InRange(step.TargetUs!.Value, 8_990, 9_010);
    }

    [Fact]
    public void Stalls_shorter_than_half_of_the_limit_are_not_excluded()
    {
        RateStep step = StepOf(RoundOf(slowFrom: 0.40, slowTo: 0.46) with { StallPeriods = [new(0.400, 0.402)] });
        Assert.Null(step.Excluded);
        Assert.Equal("missed", step.Outcome);
    }

    [Fact]
    public void Stalls_before_the_measurement_count_while_their_backlog_drains()
    {
        Assert.Equal(0.02, StepOf(RoundOf(0, 0.02) with { StallPeriods = [new(-0.010, -0.001)] }).Excluded!.Seconds);
        Assert.Null(StepOf(RoundOf(0, 0.02) with { StallPeriods = [new(-0.100, -0.091)] }).Excluded);
    }

    [Fact]
    public void Higher_utilization_excludes_more_time()
    {
        Round round = RoundOf(0.4, 0.44) with { StallPeriods = [new(0.400, 0.409)] };
        (_, ExcludedStalls? half) = QuietTime.Of(round, s_target.LimitUs, utilization: 0.5);
        (_, ExcludedStalls? most) = QuietTime.Of(round, s_target.LimitUs, utilization: 2);
        Assert.Equal((0.04, 0.08), (half!.Seconds, most!.Seconds));
    }

    [Fact]
    public void Step_with_too_many_stalls_is_not_judged_unless_it_meets_the_target()
    {
        StallPeriod[] stalls = [.. Enumerable.Range(0, 20).Select(i => new StallPeriod(i / 10.0, (i / 10.0) + 0.009))];
        MachineStalls read = new() { Seconds = 2, Over5Ms = 20, WorstUs = 9_000, P999Us = 9_000, SecondsOver1Ms = 0.18, SecondsOver5Ms = 0.18 };
        RateStep missed = StepOf(RoundOf(0, 1) with { StallPeriods = stalls, Stalls = read });
        Assert.Equal(("not judged", StepLimit.Stalls), (missed.Outcome, missed.Verdict!.Limit));
        Assert.Null(missed.Excluded);
        Assert.Equal("met", StepOf(RoundOf(0, 0) with { StallPeriods = stalls, Stalls = read }).Outcome);
        // A queue that grows until the end is not caused by stalls.
        Assert.Equal("missed", StepOf(RoundOf(0, 1) with { StallPeriods = stalls, Stalls = read, RequestsPerSecond = 5_000 }).Outcome);
    }

    [Fact]
    public void Excluded_calls_are_removed_from_the_histogram_without_loss_of_others()
    {
        Round round = RoundOf(0.40, 0.44) with { StallPeriods = [new(0.400, 0.409)] };
        (Round quiet, _) = QuietTime.Of(round, s_target.LimitUs, utilization: 0.5);
        Assert.Equal(19_600, quiet.Histogram.Total);
        Assert.Equal(19_600, quiet.Slices.Sum(slice => slice.Cells.Sum(cell => cell.Count)));
        Assert.InRange(quiet.Histogram.MaxNs, 990_000, 1_010_000);
    }

    private static RateStep StepOf(Round round) =>
        new RateTrial(new PlannedTrial(RateStepKind.Probe, 10_000, 13), round, Utilization: 0.5)
            .StepFor(s_target, new ClientVariant("dotnet", "pipeline"), noiseLimit: 0.1);

    /// <summary>Creates a round of 2 s with 10,000 calls per second. A call takes 1 ms, or 9 ms if it ends within a period.</summary>
    private static Round RoundOf(double slowFrom, double slowTo)
    {
        var all = new LoadHistogram();
        var slices = new List<(double, IReadOnlyList<HeatCell>)>();
        for (int i = 0; i < 100; i++)
        {
            double begin = i * 0.02;
            double latency = begin >= slowFrom - 1e-9 && begin < slowTo - 1e-9 ? Slow : 0.001;
            for (int call = 0; call < 200; call++)
            {
                all.Record((long)(latency * 1e9));
            }

            slices.Add((begin + 0.02, [new HeatCell(LoadSlices.BucketOf(latency * 1e6), 200)]));
        }

        return new()
        {
            RequestsPerSecond = 10_000,
            MeasuredSeconds = 2,
            Histogram = all,
            ServiceHistogram = all,
            Hits = 0,
            Misses = 0,
            Errors = new Dictionary<string, long>(),
            ClientCpu = 0.3,
            ServerCpu = 0.3,
            OthersCpu = 0,
            Slices = slices,
        };
    }
}
