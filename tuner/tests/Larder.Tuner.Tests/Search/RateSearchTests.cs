using Larder.Lab.Known;
using Larder.Report.Runs;
using Larder.Tuner.Search;

namespace Larder.Tuner.Tests.Search;

public sealed class RateSearchTests
{
    private const int Parallelism = 10;
    private const double Service = 0.010;
    private const double Quantile = 0.99;

    /// <summary>
    /// Returns the latency at a percentile, relative to the target's limit. <c>cap</c> is the maximum number of calls in the server. If it is below the
    /// server's parallelism, part of the server is idle.
    /// </summary>
    private static double Excess(PlannedTrial asked, double limit) =>
        AnalyticRate.Latency(Math.Min(asked.Cap, Parallelism), Service, asked.RatePerSecond, Quantile, calls: 100_000) / limit;

    private static RateSearch Searched(double start, double limit, int cap = 34, int most = 40)
    {
        var search = new RateSearch(start, cap);
        for (int step = 0; search.Next is { } asked; step++)
        {
            Assert.True(step < most, "it does not end");
            search.Add(Excess(asked, limit));
        }

        return search;
    }

    [Theory]
    [InlineData(700, 0.012)]
    [InlineData(700, 0.015)]
    [InlineData(700, 0.030)]
    [InlineData(700, 0.100)]
    [InlineData(50, 0.015)]
    [InlineData(20_000, 0.015)]
    public void Search_from_any_start_finds_highest_rate_meeting_target(double start, double limit)
    {
        RateFinding found = Searched(start, limit).Found!;
        double computed = AnalyticRate.Highest(Parallelism, Service, Quantile, limit)!.Value;
        Assert.InRange(found.RatePerSecond, computed * 0.95, computed * 1.01);
    }

    [Theory]
    [InlineData(0.014)]
    [InlineData(0.016)]
    [InlineData(0.020)]
    [InlineData(0.028)]
    [InlineData(0.040)]
    public void Search_in_short_runs_finds_rate_within_six_percent(double limit)
    {
        double computed = AnalyticRate.Highest(40, Service, Quantile, limit)!.Value;
        double[] off = OffBy(computed, limit);
        Assert.True(off.Count(one => Math.Abs(one) <= 0.06) >= 9, $"{computed:N0}: {string.Join(' ', off.Select(one => one.ToString("P1")))}");
    }

    [Fact]
    public void Machine_stalls_shift_result_by_at_most_ten_percent()
    {
        // The server stalls for 30 ms every ten seconds. A short run that includes a stall misses the limit at any rate.
        double computed = AnalyticRate.Highest(40, Service, Quantile, 0.016)!.Value;
        double[] off = OffBy(computed, 0.016, stallEvery: 10, stallFor: 0.030);
        Assert.True(off.Count(one => Math.Abs(one) <= 0.10) >= 9, $"{computed:N0}: {string.Join(' ', off.Select(one => one.ToString("P1")))}");
    }

    /// <summary>Returns the relative errors of ten searches, compared with the computed rate.</summary>
    private static double[] OffBy(double computed, double limit, double stallEvery = 0, double stallFor = 0) =>
    [
        .. Enumerable.Range(1, 10)
            .Select(seed => ((InShortRuns(new(40, Service, seed, stallEvery, stallFor), limit)?.RatePerSecond ?? 0) / computed) - 1)
            .Order(),
    ];

    /// <summary>Runs a search with probes of 1.5 s and two confirmations of 3 s each. These are about the durations in a real tuning.</summary>
    private static RateFinding? InShortRuns(ScheduledServer server, double limit)
    {
        var search = new RateSearch(4_000, 55);
        search.Takes(Service);
        for (int step = 0; search.Next is { } asked; step++)
        {
            Assert.True(step < 60, "it does not end");
            double seconds = asked.Kind == RateStepKind.Confirm ? 3 : 1.5;
            double excess = ScheduledServer.Sum(server.Run(asked.RatePerSecond, asked.Cap, seconds)).QuantileUs(Quantile) / 1e6 / limit;
            search.Add(excess, server.WasStalled, seconds);
        }

        return search.Found;
    }

    [Fact]
    public void Cap_is_smallest_ladder_step_that_sustains_the_rate()
    {
        Assert.Equal(13, Searched(700, 0.030).Found!.Cap);
        var search = new RateSearch(10, 34);
        while (search.Next is { } asked)
        {
            search.Add(asked.RatePerSecond / 11);
        }

        Assert.Equal(1, search.Found!.Cap);
    }

    [Fact]
    public void Target_below_service_time_has_no_result()
    {
        RateSearch search = Searched(700, 0.009, most: 12);
        Assert.Null(search.Found);
    }

    [Fact]
    public void First_trial_confirms_half_of_the_first_guess()
    {
        var search = new RateSearch(1_000, 8);
        Assert.Equal(new PlannedTrial(RateStepKind.Confirm, 500, 8), search.Next);
        search.Add(1.5);
        Assert.Equal(new PlannedTrial(RateStepKind.Confirm, 250, 8), search.Next);
        search.Add(0.5);
        Assert.Null(search.Found);
        Assert.Equal(new PlannedTrial(RateStepKind.Confirm, 250, 8, Run: 2), search.Next);
        search.Add(0.5);
        Assert.Equal(new RateFinding(250, 8), search.Found);
        Assert.Equal(RateStepKind.Probe, search.Next!.Kind);
        Assert.InRange(search.Next.RatePerSecond, 251, 499);
    }

    [Fact]
    public void Rates_that_could_not_be_judged_are_tried_again_while_time_remains()
    {
        var search = new RateSearch(1_000, 8);
        for (int step = 0; step < 40; step++)
        {
            search.HasTimeFor(40 - step);
            search.Add(3, disturbed: true);
        }

        while (search.Next is { Kind: not RateStepKind.Probe })
        {
            search.HasTimeFor(10);
            search.Add(0.5);
        }

        Assert.NotNull(search.Found);
    }

    [Fact]
    public void Disturbed_miss_is_repeated_and_then_not_judged()
    {
        RateSearch search = UpTo(RateStepKind.Probe);
        PlannedTrial first = search.Next!;
        search.Add(3, disturbed: true);
        Assert.Equal(first with { Attempt = 2 }, search.Next);
        search.Add(3, disturbed: true);
        // The search continues between the confirmed rate and the rate that could not be judged.
        Assert.InRange(search.Next!.RatePerSecond, search.Found!.RatePerSecond * 1.01, first.RatePerSecond * 0.99);
        Assert.Equal(1, search.Next.Attempt);
        while (search.Next is not null && search.Next.RatePerSecond != first.RatePerSecond)
        {
            search.Add(0.5);
        }

        // When a higher rate is confirmed, the rate is tried again.
        Assert.True(search.Next is not null || search.Found.RatePerSecond > first.RatePerSecond);
    }

    [Fact]
    public void Disturbed_result_within_limit_counts()
    {
        RateSearch search = UpTo(RateStepKind.Probe);
        double rate = search.Next!.RatePerSecond;
        search.Add(0.9, disturbed: true);
        Assert.True(search.Next!.RatePerSecond > rate);
    }

    [Fact]
    public void Confirmation_requires_two_consecutive_runs()
    {
        RateSearch search = UpTo(RateStepKind.Confirm);
        (PlannedTrial first, RateFinding safe) = (search.Next!, search.Found!);
        Assert.Equal(1, first.Run);
        search.Add(0.99);
        Assert.Equal(safe, search.Found);
        Assert.Equal(first with { Run = 2 }, search.Next);
        search.Add(0.99);
        Assert.Equal(new RateFinding(first.RatePerSecond, first.Cap), search.Found);
    }

    [Fact]
    public void Missed_confirmation_keeps_the_confirmed_rate_and_steps_down()
    {
        RateSearch search = UpTo(RateStepKind.Confirm);
        (PlannedTrial first, RateFinding safe) = (search.Next!, search.Found!);
        search.Add(0.99);
        search.Add(1.01);
        Assert.Equal(safe, search.Found);
        PlannedTrial second = UpTo(RateStepKind.Confirm, search).Next!;
        Assert.InRange(second.RatePerSecond / first.RatePerSecond, 0.9, 0.99);
        search.Add(1.01);
        PlannedTrial third = UpTo(RateStepKind.Confirm, search).Next!;
        Assert.InRange(third.RatePerSecond / second.RatePerSecond, 0.85, 0.97);
    }

    [Fact]
    public void Search_without_time_for_a_confirmation_ends()
    {
        RateSearch search = UpTo(RateStepKind.Confirm);
        RateFinding found = search.Found!;
        search.HasTimeFor(1);
        search.Add(1.01);
        Assert.Null(search.Next);
        Assert.Equal(found, search.Found);
    }

    [Fact]
    public void Short_time_confirms_highest_rate_that_met_the_target()
    {
        RateSearch search = UpTo(RateStepKind.Probe);
        double rate = search.Next!.RatePerSecond;
        search.HasTimeFor(3);
        search.Add(0.5);
        Assert.Equal((RateStepKind.Confirm, 8), (search.Next!.Kind, search.Next.Cap));
        Assert.InRange(search.Next.RatePerSecond / rate, 0.9, 0.99);
    }

    [Fact]
    public void Missed_confirmation_of_smaller_cap_keeps_the_confirmed_cap()
    {
        RateSearch search = UpTo(RateStepKind.Cap);
        RateFinding found = search.Found!;
        while (search.Next is { Kind: RateStepKind.Cap } cap)
        {
            search.Add(cap.Cap >= 3 ? 0.9 : 2);
        }

        Assert.Equal(new PlannedTrial(RateStepKind.Confirm, found.RatePerSecond, 3), search.Next);
        search.Add(1.2);
        Assert.Equal(new PlannedTrial(RateStepKind.Confirm, found.RatePerSecond, 5), search.Next);
        search.Add(1.2);
        Assert.Equal(found, search.Found);
        Assert.Null(search.Next);
    }

    [Fact]
    public void Miss_is_removed_if_second_probe_meets_the_target()
    {
        var search = new RateSearch(1_000, 8);
        var missed = new HashSet<double>();
        while (search.Next is { Kind: not RateStepKind.Cap } asked)
        {
            // Each rate above 600 misses once, by chance.
            search.Add(asked is { Kind: RateStepKind.Probe, RatePerSecond: > 600 } && missed.Add(asked.RatePerSecond) ? 2 : asked.RatePerSecond / 1_000);
        }

        Assert.InRange(search.Found!.RatePerSecond, 850, 1_000);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0.3)]
    [InlineData(0.9)]
    public void Found_rate_is_always_confirmed_and_never_decreases(double disturbed)
    {
        for (int seed = 1; seed <= 200; seed++)
        {
            var random = new Random(seed);
            var search = new RateSearch(1_000, 34);
            var met = new Dictionary<(double, int), int>();
            (double before, int cap) = (0, int.MaxValue);
            for (int step = 0; search.Next is { } asked; step++)
            {
                Assert.True(step < 150, $"seed {seed} does not end");
                double excess = asked.RatePerSecond / 800 * Math.Exp(random.NextDouble() - 0.5);
                search.Add(excess, random.NextDouble() < disturbed);
                (double, int) key = (asked.RatePerSecond, asked.Cap);
                met[key] = asked.Kind == RateStepKind.Confirm && excess <= 1 ? met.GetValueOrDefault(key) + 1 : met.GetValueOrDefault(key);
                if (search.Found is { } found)
                {
                    Assert.True(met[(found.RatePerSecond, found.Cap)] >= 2);
                    Assert.True(found.RatePerSecond > before || (found.RatePerSecond == before && found.Cap <= cap));
                    (before, cap) = (found.RatePerSecond, found.Cap);
                }
            }
        }
    }

    [Fact]
    public void Rates_measured_by_another_search_are_not_repeated()
    {
        var search = new RateSearch(700, 13);
        search.Know([(600, 0.7, 1), (900, 1.3, 1), (700, 0.8, 1)], new RateFinding(600, 5));
        Assert.InRange(search.Next!.RatePerSecond, 700, 900);
        var broken = new RateSearch(700, 13);
        broken.Know([(300, 2, 1), (250, 1.5, 1)]);
        Assert.InRange(broken.Next!.RatePerSecond, 1, 249);
    }

    [Fact]
    public void Confirmed_rate_far_below_first_guess_does_not_replace_guess()
    {
        var search = new RateSearch(4_000, 55);
        search.Know([(52, 0.9, 0.15)], new RateFinding(52, 55));
        Assert.Equal(new PlannedTrial(RateStepKind.Probe, 2_000, 55), search.Next);
    }

    [Fact]
    public void Caps_too_small_for_rate_are_not_tried()
    {
        // 700 calls per second of 10 ms each need 7 calls in flight. The concurrency limits 1, 2, 3 and 5 are therefore too small.
        var search = new RateSearch(700, 13);
        search.Takes(0.010);
        var caps = new List<int>();
        while (search.Next is { } asked)
        {
            caps.AddRange(asked.Kind == RateStepKind.Cap ? [asked.Cap] : []);
            search.Add(asked.RatePerSecond / 720);
        }

        Assert.Equal([8], caps);
        Assert.Equal(8, search.Found!.Cap);
    }

    [Fact]
    public void End_keeps_the_confirmed_rate()
    {
        RateSearch search = UpTo(RateStepKind.Probe);
        search.End();
        Assert.Null(search.Next);
        Assert.Equal(495, search.Found!.RatePerSecond);
    }

    [Fact]
    public void Estimate_of_remaining_time_is_0_at_end_of_search()
    {
        var search = new RateSearch(700, 34);
        double before = double.PositiveInfinity;
        while (search.Next is { } asked)
        {
            Assert.True(search.Left(3) > 0);
            before = search.Left(3);
            search.Add(Excess(asked, 0.015));
        }

        Assert.True(before > 0);
        Assert.Equal(0, search.Left(3));
    }

    /// <summary>
    /// Returns a search with a confirmed safe rate that is about to run a trial of a kind. The target's limit is reached at 1,000 calls per second, with a
    /// concurrency limit of at least 3.
    /// </summary>
    private static RateSearch UpTo(RateStepKind kind, RateSearch? search = null)
    {
        search ??= new RateSearch(990, 8);
        while (search.Found is null || search.Next!.Kind != kind)
        {
            search.Add(search.Next!.Cap >= 3 ? search.Next.RatePerSecond / 1_000 : 2);
        }

        return search;
    }
}
