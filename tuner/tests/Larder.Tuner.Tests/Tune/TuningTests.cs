using System.Diagnostics;
using Larder.Report.Runs;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.Assertions;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Workloads;

namespace Larder.Tuner.Tests.Tune;

public sealed class TuningTests
{
    /// <summary>Tests the shortest possible tuning. It shows that the parts work together. It does not measure performance.</summary>
    private static readonly TuneOptions s_brief = new()
    {
        Client = "dotnet",
        Transport = "pipeline",
        // On a machine that is busy with tests, any latency is possible.
        Targets = [new(0.999, 1), new(0.999, 60_000_000)],
        Passes = 1,
        Seconds = 0.1,
        Most = 3,
        Adaptive = false,
        NoiseLimit = double.PositiveInfinity,
        Budget = TimeSpan.FromSeconds(20),
        FloorSeconds = 0.1,
        Assertions = [RunAssertion.Parse("p999<100s"), RunAssertion.Parse("rate>=1"), RunAssertion.Parse("throughput>1000000000")],
        Command = "./larder tune",
    };

    /// <summary>The time limit for repeating a tuning if a stall affected its short steps.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task Tuning_finds_knee_and_rate_and_reports_unreachable_target()
    {
        (IReadOnlyList<TuneRun> runs, SeenView view) = await ProvedAsync(s_brief, static run => run.Proved is not null);
        Assert.Equal(2, runs.Count);
        (TuneRun? strict, TuneRun? lax) = (runs[0], runs[1]);
        Assert.Null(strict.Knee);
        Assert.Null(strict.Proved);
        Assert.Null(strict.Recommendation);
        Assert.StartsWith("No answer: no scheduled rate meets p99.9 < 1 µs; the nearest was", strict.Answer, StringComparison.Ordinal);
        Assert.All(strict.Rates, step => Assert.NotNull(step.Verdict));
        Assert.Contains(strict.Notes, note => note.Contains("cannot be reached", StringComparison.Ordinal));
        Assert.Equal([1, 2, 3], lax.Search.Select(rung => rung.Callers));
        // A higher rate may have been tried later, but it was not confirmed.
        RateStep proof = RateAnswer.ProofOf(lax.Proved, lax.Rates)!;
        Assert.Equal((proof.RatePerSecond, proof.Cap), (lax.Proved!.RatePerSecond, lax.Proved.Cap));
        Assert.Equal(lax.Proved.Cap, lax.Recommendation!.MaxInFlight);
        Assert.Contains("calls per second with a concurrency limit of", lax.Answer, StringComparison.Ordinal);
        // On a busy machine, no caller may be free during a step of a tenth of a second, and the agent's first line may be late.
        Assert.Contains(lax.Rates, step => step.Measured.Stalls is not null);
        Assert.Contains(lax.Rates, step => step.Late is not null);
        Assert.NotNull(lax.Floor);
        Assert.Equal([true, true, false], lax.Assertions.Select(assertion => assertion.Held));
        Assert.All(lax.Search, rung => Assert.NotNull(rung.Verdict));
        Assert.Equal(3, view.Rungs);
        // The steps are the warm-up and three rungs, then the steps of the rate searches. A measurement that both searches use is shown only once.
        Assert.Equal(4 + view.Rates, view.Steps);
        Assert.Equal(2, view.Answers);
        Assert.Equal(lax.Search.Count, TuneRunFile.Parse(TuneRunFile.Write(lax), "itself").Search.Count);
    }

    [Fact]
    public async Task Tuning_combines_channels_network_delay_and_trace()
    {
        TuneOptions options = s_brief with
        {
            Transport = "unary",
            Targets = [new(0.999, 60_000_000)],
            Channels = [1, 2],
            Most = 1,
            Delay = DelayText.Parse("2ms"),
            Workload = Workload.FromJson(
                """{"trace": "production-trace.csv"}""",
                "trace",
                Path.Combine(Larder.Tuner.Processes.Programs.Root, "tuner/workloads")),
        };
        TuneRun run = Assert.Single(await new Tuning(options, new SeenView(), TimeProvider.System).RunAsync());
        Assert.Equal([1, 2], run.Search.Select(rung => rung.Channels));
        Assert.InRange(run.KneeRung()!.Channels, 1, 2);
        // No response arrives faster than the network delay allows.
        Assert.All(run.Search, rung => Assert.True(rung.P50Us > 2_000, $"{rung.P50Us} µs"));
        Assert.All(run.Search, rung => Assert.Equal(0, rung.Errors));
        Assert.Equal("production-trace.csv", run.Workload.Trace);
    }

    [Theory]
    [InlineData("pipeline")]
    [InlineData("unary")]
    public async Task Adaptive_cap_is_measured_in_closed_and_open_loop(string transport)
    {
        TuneOptions options = s_brief with { Transport = transport, Targets = [new(0.999, 500_000)], Most = 1, Adaptive = true, SettleSeconds = 0.1 };
        (IReadOnlyList<TuneRun> runs, SeenView view) = await ProvedAsync(
            options,
            run =>
            {
                // Without a knee, nothing is compared. Without a proved rate, there is no open-loop comparison.
                Assert.Equal(run.Knee is null ? 0 : run.Proved is null ? 2 : 4, run.Adaptive.Count);
                return run.Adaptive.Count == 4 && run.Adaptive.All(row => row.Measured.Latency.Samples > 0);
            });
        TuneRun run = Assert.Single(runs);
        Assert.Equal(["fixed 1, the knee", "adaptive, p99.9 < 500 ms", "fixed 1, the answer", "adaptive, p99.9 < 500 ms"], run.Adaptive.Select(row => row.Cap));
        Assert.Equal("32 callers, closed loop", run.Adaptive[0].Scenario);
        Assert.EndsWith(" calls per second, on a schedule", run.Adaptive[2].Scenario, StringComparison.Ordinal);
        Assert.Equal([false, true, false, true], run.Adaptive.Select(row => row.Range is not null));
        Assert.All(run.Adaptive, row => Assert.True(row.Measured.RequestsPerSecond > 0));
        Assert.All(run.Adaptive.Where(row => row.Range is not null), row => Assert.InRange(row.Range!.Highest, 1, 32));
        Assert.Equal(2, run.Notes.Count(note => note.Contains("the adaptive limit", StringComparison.Ordinal)));
        Assert.Equal(4, view.Adaptive);
    }

    /// <summary>
    /// Runs a tuning until its result is complete enough for the test. If the machine stalls for a tenth of a second, the tuning proves no rate and is
    /// repeated.
    /// </summary>
    private static async Task<(IReadOnlyList<TuneRun> Runs, SeenView View)> ProvedAsync(TuneOptions options, Func<TuneRun, bool> isWhole)
    {
        var since = Stopwatch.StartNew();
        while (true)
        {
            var view = new SeenView();
            IReadOnlyList<TuneRun> runs = await new Tuning(options, view, TimeProvider.System).RunAsync();
            TuneRun last = runs[^1];
            Assert.Equal(last.Proved is null, last.Answer!.StartsWith("No answer: ", StringComparison.Ordinal));
            Assert.Equal(last.Proved is null, last.Recommendation is null);
            Assert.Equal(last.Proved is null, RateAnswer.ProofOf(last.Proved, last.Rates) is null);
            if (isWhole(last))
            {
                return (runs, view);
            }

            Assert.True(since.Elapsed < s_patience, $"No rate was proved within {s_patience.TotalMinutes} minutes: {last.Answer}");
        }
    }

    private sealed class SeenView : ITuneView
    {
        public int Rungs { get; private set; }

        public int Steps { get; private set; }

        public int Adaptive { get; private set; }

        public void OnStart(TunedClient client, TuneTarget target, TunedWorkload workload, TimeSpan? atMost)
        {
        }

        public void OnBegin(TunedClient client, TuneTarget target, TunedWorkload workload)
        {
        }

        public void OnStepStarted(LoadStep step) => Steps++;

        public void OnProgress(LoadSecond second)
        {
        }

        public void OnRung(SearchRung rung) => Rungs++;

        public void OnKnee(SearchRung? knee, string why)
        {
        }

        public int Rates { get; private set; }

        public int Answers { get; private set; }

        public void OnRate(RateStep step, TuneTarget target) => Rates++;

        public void OnAnswer(ProvedRate? proved, string sentence) => Answers++;

        public void OnAdaptive(AdaptiveRow row) => Adaptive++;

        public void OnTimeLeft(double done, TimeSpan left) => Assert.InRange(done, 0, 1);

        public void OnNote(string note)
        {
        }

        public void OnEnd(TuneRun run)
        {
        }
    }
}
