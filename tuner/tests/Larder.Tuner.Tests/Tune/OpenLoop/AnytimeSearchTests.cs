using System.Globalization;
using Larder.Harness.Clocks;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Search;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.OpenLoop;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;

namespace Larder.Tuner.Tests.Tune.OpenLoop;

/// <summary>Runs the complete rate search against a simulated client and server, in virtual time.</summary>
public sealed class AnytimeSearchTests
{
    private const double Quantile = 0.999;
    private static readonly TuneTarget s_target = new(Quantile, 5_000);
    private static readonly Lazy<double> s_crossing = new(() => Crossing(s_target));

    [Fact]
    public async Task Search_on_stalling_machine_always_answers_near_the_crossing()
    {
        (double[] off, string text) = await ErrorsAsync(100, seed => new SimulatedLoad(seed, new ManualTime()) { Stalls = true });
        Assert.True(off.Count(one => Math.Abs(one) <= 0.15) >= 90, text);
        Assert.True(Math.Abs(off[50]) <= 0.05, text);
    }

    [Fact]
    public async Task Search_on_quiet_machine_answers_near_the_crossing()
    {
        (double[] off, string text) = await ErrorsAsync(40, seed => new SimulatedLoad(seed, new ManualTime()));
        Assert.True(off.Count(one => Math.Abs(one) <= 0.10) >= 36, text);
        Assert.True(Math.Abs(off[20]) <= 0.05, text);
    }

    [Theory]
    [InlineData(0, -0.35)]
    [InlineData(30, -0.50)]
    [InlineData(75, -0.50)]
    public async Task Noisy_neighbour_for_half_of_the_run_does_not_remove_the_answer(double from, double least)
    {
        (double[] off, string text) = await ErrorsAsync(
            20,
            seed => new SimulatedLoad(seed, new ManualTime()) { Stalls = true, IsNoisy = at => at >= from && at < from + 60 });
        Assert.True(off[10] >= least, text);
    }

    [Fact]
    public async Task Target_that_no_load_meets_has_no_answer_but_a_bottleneck()
    {
        for (int seed = 1; seed <= 10; seed++)
        {
            var load = new SimulatedLoad(seed, new ManualTime()) { Stalls = true, Transit = 0.006 };
            (ProvedRate? proved, IReadOnlyList<RateStep> steps) = await SearchAsync(load, s_target, TextWriter.Null);
            Assert.Null(proved);
            Assert.Matches("^No answer: no scheduled rate meets p99.9 < 5 ms; the nearest was .* Bottleneck: ", RateAnswer.Of(s_target, proved, steps));
            Assert.NotNull(RateAnswer.NearestMiss(steps)!.Verdict);
        }
    }

    [Fact]
    public async Task Answer_at_end_of_budget_is_highest_confirmed_rate()
    {
        for (int budget = 50; budget <= 110; budget += 5)
        {
            var load = new SimulatedLoad(budget, new ManualTime()) { Stalls = true };
            (ProvedRate? proved, IReadOnlyList<RateStep> steps) = await SearchAsync(load, s_target, TextWriter.Null, budget);
            double[] confirmed =
            [
                .. from step in steps
                   where step is { Kind: RateStepKind.Confirm, Run: RateSearch.RunsOfConfirmation, Miss: null }
                   select step.RatePerSecond,
            ];
            Assert.Equal(confirmed.Max(), proved!.RatePerSecond);
            Assert.All(proved.RunsUs, us => Assert.InRange(us, 1, s_target.LimitUs));
            Assert.Equal(proved.OutOfTime, RateAnswer.Of(s_target, proved, steps).Contains("the search ran out of time", StringComparison.Ordinal));
        }
    }

    /// <summary>Returns the relative errors of several searches in ascending order, also as text. Each search must have an answer.</summary>
    private static async Task<(double[] Errors, string Text)> ErrorsAsync(int runs, Func<int, SimulatedLoad> loadOf)
    {
        double[] found = new double[runs];
        await Parallel.ForEachAsync(Enumerable.Range(0, runs), async (i, _) =>
        {
            using var log = new StringWriter(CultureInfo.InvariantCulture);
            (ProvedRate? proved, IReadOnlyList<RateStep> steps) = await SearchAsync(loadOf(i + 1), s_target, log);
            Assert.True(proved is not null, $"seed {i + 1}: {RateAnswer.Of(s_target, proved, steps)}{Environment.NewLine}{log}");
            found[i] = proved.RatePerSecond;
        });
        double[] errors = [.. found.Select(rate => (rate / s_crossing.Value) - 1).Order()];
        return (errors, string.Join(' ', errors.Select(one => one.ToString("P0", CultureInfo.InvariantCulture))));
    }

    /// <summary>Runs a search in the part of a budget that remains between the closed loop and the comparison of the adaptive limit.</summary>
    private static async Task<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)> SearchAsync(
        SimulatedLoad load, TuneTarget target, TextWriter log, double seconds = 120)
    {
        var budget = new TimeBudget(TimeSpan.FromSeconds(seconds), load.Clock);
        load.Clock.Advance(TimeSpan.FromSeconds(42));
        load.Budget = budget;
        SearchRung[] rungs = [Rung(1, 2_000), Rung(34, SimulatedLoad.Capacity * 0.98)];
        var phase = new OpenLoopPhase(load, rungs, rungs[1], new TuneOptions { Client = "dotnet", Targets = [target] }, budget, new PlainTuneView(log));
        return await phase.RunAsync(target, TimeSpan.FromSeconds(15));
    }

    private static SearchRung Rung(int callers, double rate) => new()
    {
        Callers = callers,
        Repetitions =
        [
            new()
            {
                RequestsPerSecond = rate,
                Latency = new() { Samples = 100_000, MeanUs = 300, P50Us = 300, P90Us = 400, P99Us = 500, P999Us = 600, MaxUs = 700, Curve = [] },
            },
        ],
    };

    /// <summary>Returns the highest rate that meets a target without stalls, according to long simulated runs.</summary>
    private static double Crossing(TuneTarget target)
    {
        (double low, double high) = (SimulatedLoad.Capacity / 10, SimulatedLoad.Capacity);
        while (high / low > 1.005)
        {
            double middle = Math.Sqrt(low * high);
            Round round = new SimulatedLoad(1, new ManualTime()).Run(middle, 34, warmup: 1, seconds: 100, stallsPerSecond: 0);
            (low, high) = round.Histogram.QuantileUs(target.Quantile) <= target.LimitUs ? (middle, high) : (low, middle);
        }

        return low;
    }
}
