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
        Assert.InRange(found.BreaksAt!.Value, found.RatePerSecond, found.RatePerSecond * 1.08);
    }

    [Theory]
    [InlineData(0.014)]
    [InlineData(0.016)]
    [InlineData(0.020)]
    [InlineData(0.028)]
    [InlineData(0.040)]
    public void Search_in_short_runs_finds_rate_within_five_percent(double limit)
    {
        double computed = AnalyticRate.Highest(40, Service, Quantile, limit)!.Value;
        double[] off = OffBy(computed, limit);
        Assert.True(off.Count(one => Math.Abs(one) <= 0.05) >= 9, $"{computed:N0}: {string.Join(' ', off.Select(one => one.ToString("P1")))}");
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
        var search = new RateSearch(2_800, 55);
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
        RateSearch search = new(10, 34);
        while (search.Next is { } asked)
        {
            search.Add(asked.RatePerSecond / 11);
        }

        Assert.Equal(1, search.Found!.Cap);
    }

    [Fact]
    public void Target_below_service_time_has_no_result()
    {
        RateSearch search = Searched(700, 0.009, most: 8);
        Assert.Null(search.Found);
    }

    [Fact]
    public void Disturbed_trial_that_misses_target_is_repeated_once_then_accepted()
    {
        var search = new RateSearch(1_000, 8);
        search.Add(3, disturbed: true);
        Assert.Equal(new PlannedTrial(RateStepKind.Probe, 1_000, 8, Attempt: 2), search.Next);
        search.Add(3, disturbed: true);
        Assert.True(search.Next!.RatePerSecond < 1_000);
        Assert.Equal(1, search.Next.Attempt);
        var kept = new RateSearch(1_000, 8);
        kept.Add(1, disturbed: true);
        Assert.True(kept.Next!.RatePerSecond > 1_000);
    }

    [Fact]
    public void Confirmation_requires_two_consecutive_runs()
    {
        RateSearch search = UpToConfirmation();
        PlannedTrial first = search.Next!;
        Assert.Equal(1, first.Run);
        search.Add(0.99);
        Assert.Null(search.Found);
        Assert.Equal(first with { Run = 2 }, search.Next);
        search.Add(0.99);
        Assert.Equal((first.RatePerSecond, first.Cap), (search.Found!.RatePerSecond, search.Found.Cap));
        Assert.Null(search.Next);
    }

    [Fact]
    public void Missed_confirmation_lowers_rate_and_raises_cap()
    {
        RateSearch search = UpToConfirmation();
        PlannedTrial first = search.Next!;
        search.Add(0.99);
        search.Add(1.01);
        PlannedTrial second = search.Next!;
        Assert.Equal((RateStepKind.Confirm, 1), (second.Kind, second.Run));
        Assert.InRange(second.RatePerSecond / first.RatePerSecond, 0.9, 0.981);
        Assert.True(second.Cap > first.Cap);
        search.Add(4);
        PlannedTrial last = search.Next!;
        Assert.InRange(last.RatePerSecond / second.RatePerSecond, 0.5, 0.951);
        search.Add(0.95);
        search.Add(0.95);
        Assert.Equal(new RateFinding(last.RatePerSecond, last.Cap, second.RatePerSecond), search.Found);
        Assert.Null(search.Next);
    }

    [Fact]
    public void Search_tries_higher_rate_after_confirmation_with_headroom()
    {
        // A stall disturbed the first confirmation, so that the search stepped down further than necessary.
        RateSearch search = UpToConfirmation();
        search.Add(4, weight: 0.05);
        PlannedTrial first = search.Next!;
        search.Add(0.8);
        search.Add(0.8);
        Assert.Equal(first.RatePerSecond, search.Found!.RatePerSecond);
        PlannedTrial higher = search.Next!;
        Assert.Equal((RateStepKind.Confirm, 1), (higher.Kind, higher.Run));
        Assert.InRange(higher.RatePerSecond / first.RatePerSecond, 1.02, 1.1);
        while (search.Next is not null)
        {
            search.Add(1.2);
        }

        Assert.Equal(first.RatePerSecond, search.Found.RatePerSecond);
        Assert.InRange(search.Found.BreaksAt!.Value, first.RatePerSecond, higher.RatePerSecond);
    }

    [Theory]
    [InlineData(1, 0.5)]
    [InlineData(2, 0.7071)]
    [InlineData(4, 0.8409)]
    public void Missed_confirmation_lowers_rate_more_when_little_time_is_left(double confirmations, double share)
    {
        RateSearch search = UpToConfirmation();
        double first = search.Next!.RatePerSecond;
        search.HasTimeFor(confirmations);
        search.Add(1.3);
        Assert.Equal(share, search.Next!.RatePerSecond / first, 0.0001);
    }

    [Fact]
    public void Second_near_miss_lowers_rate_more_than_first_near_miss()
    {
        RateSearch search = UpToConfirmation();
        double first = search.Next!.RatePerSecond;
        search.HasTimeFor(0.3);
        search.Add(1.2);
        double second = search.Next!.RatePerSecond;
        Assert.InRange(second / first, 0.9, 0.981);
        search.Add(1.2);
        Assert.Equal(0.5, search.Next!.RatePerSecond / second, 0.0001);
    }

    [Fact]
    public void Search_ends_without_result_when_every_confirmation_fails()
    {
        RateSearch search = UpToConfirmation();
        int confirmations = 0;
        for (; search.Next is not null; confirmations++)
        {
            Assert.True(confirmations < 15, "it does not end");
            search.Add(double.PositiveInfinity);
        }

        Assert.Null(search.Found);
        Assert.True(confirmations >= 2);
    }

    [Fact]
    public void Rates_measured_by_another_search_are_not_repeated()
    {
        var search = new RateSearch(700, 13);
        search.Know([(600, 0.7, 1), (900, 1.3, 1), (700, 0.8, 1)]);
        Assert.InRange(search.Next!.RatePerSecond, 700, 900);
        var broken = new RateSearch(700, 13);
        broken.Know([(700, 2, 1), (500, 1.5, 1)]);
        Assert.InRange(broken.Next!.RatePerSecond, 1, 499);
    }

    [Fact]
    public void Known_rate_far_below_first_guess_does_not_replace_guess()
    {
        var search = new RateSearch(2_800, 55);
        search.Know([(52, 0.9, 0.15)]);
        Assert.Equal(new PlannedTrial(RateStepKind.Probe, 2_800, 55), search.Next);
    }

    [Fact]
    public void Caps_too_small_for_rate_are_not_tried()
    {
        // 700 calls per second of 10 ms each need 7 calls in flight. The concurrency limits 1, 2, 3 and 5 are therefore too small.
        var search = new RateSearch(700, 13);
        search.Takes(0.010);
        var caps = new List<int>();
        while (search.Next is { Kind: not RateStepKind.Confirm } asked)
        {
            caps.AddRange(asked.Kind == RateStepKind.Cap ? [asked.Cap] : []);
            search.Add(asked.RatePerSecond / 720);
        }

        Assert.Equal([8], caps);
        Assert.Equal(8, search.Next!.Cap);
    }

    [Fact]
    public void ShortenSearch_confirms_highest_rate_that_met_the_target()
    {
        var search = new RateSearch(700, 13);
        search.Add(0.5);
        search.ShortenSearch();
        Assert.Equal(new PlannedTrial(RateStepKind.Confirm, 700, 13), search.Next);
        search.Add(0.5);
        search.Add(0.5);
        Assert.Equal(new RateFinding(700, 13, null), search.Found);
        Assert.Null(search.Next);
    }

    [Fact]
    public void End_stops_search_without_result()
    {
        var search = new RateSearch(700, 13);
        search.End();
        Assert.Null(search.Next);
        Assert.Null(search.Found);
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
    /// Returns a search that is about to confirm a rate. The target's limit is reached at 1,000 calls per second, with a concurrency limit of at least 3.
    /// </summary>
    private static RateSearch UpToConfirmation()
    {
        var search = new RateSearch(990, 8);
        while (search.Next!.Kind != RateStepKind.Confirm)
        {
            search.Add(search.Next.Cap >= 3 ? search.Next.RatePerSecond / 1_000 : 2);
        }

        return search;
    }
}
