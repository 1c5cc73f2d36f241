using System.Text.RegularExpressions;
using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests;

/// <summary>Checks that the rate recommendation agrees with the points that the report shows.</summary>
public sealed class RateAnswerTests
{
    private static readonly TuneRun s_run = SampleRun.Make();
    private static readonly RateStep s_kept = s_run.Rates[0];
    private static readonly RateStep s_missed = s_run.Rates[2];

    [Fact]
    public void RateAnswer_names_lowest_rate_at_which_a_step_missed_target()
    {
        // The search result names 90,000 as the lowest missed rate, but a step missed the target at 70,000.
        ProvedRate proved = s_run.Proved! with { BreaksAt = 90_000 };
        RateStep[] steps = [Kept(60_000), Missed(90_000), Missed(70_000)];
        Assert.Equal(70_000, RateAnswer.LowestMiss(proved, steps));
        Assert.EndsWith(
            "; the limit is between this rate and 70,000, the lowest higher rate that missed the target.",
            RateAnswer.Of(s_run.Target, proved, steps),
            StringComparison.Ordinal);
    }

    [Fact]
    public void RateAnswer_ignores_rate_that_missed_and_later_met_its_target()
    {
        RateStep[] steps = [Missed(70_000), Kept(70_000), Missed(80_000), Kept(80_000), Missed(90_000)];
        Assert.Equal(90_000, RateAnswer.LowestMiss(s_run.Proved!, steps));
        Assert.EndsWith(
            "the lowest higher rate that missed the target (70,000 and 80,000 missed it once and met it when measured again).",
            RateAnswer.Of(s_run.Target, s_run.Proved, steps),
            StringComparison.Ordinal);
    }

    [Fact]
    public void RateAnswer_ignores_misses_at_lower_rates_or_smaller_caps()
    {
        RateStep[] steps = [Missed(50_000), Missed(70_000) with { Kind = RateStepKind.Cap }];
        Assert.Null(RateAnswer.LowestMiss(s_run.Proved!, steps));
        Assert.EndsWith("; higher rates were not tried.", RateAnswer.Of(s_run.Target, s_run.Proved, steps), StringComparison.Ordinal);
        Assert.EndsWith(
            "; higher rates met the target too, but were not confirmed.",
            RateAnswer.Of(s_run.Target, s_run.Proved, [.. steps, Kept(65_000)]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void RateAnswer_reports_that_the_search_ran_out_of_time()
    {
        ProvedRate proved = s_run.Proved! with { OutOfTime = true };
        Assert.EndsWith(
            "; the search ran out of time: the lowest higher rate that missed the target is 70,000.",
            RateAnswer.Of(s_run.Target, proved, [Kept(60_000), Missed(70_000)]),
            StringComparison.Ordinal);
        Assert.EndsWith(
            "; the search ran out of time: higher rates were not tried.",
            RateAnswer.Of(s_run.Target, proved, [Kept(60_000)]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void RateAnswer_does_not_count_unjudged_step_as_miss()
    {
        RateStep unjudged = Missed(70_000) with { NotJudged = true, Verdict = new StepVerdict(StepLimit.Stalls, "machine stalls: 9 over 5 ms") };
        Assert.Null(RateAnswer.LowestMiss(s_run.Proved!, [Kept(60_000), unjudged]));
        Assert.EndsWith(
            "; 70,000 could not be judged (machine stalls: 9 over 5 ms), so higher rates are unknown.",
            RateAnswer.Of(s_run.Target, s_run.Proved, [Kept(60_000), unjudged]),
            StringComparison.Ordinal);
        Assert.StartsWith("No answer: no scheduled rate could be judged for ", RateAnswer.Of(s_run.Target, null, [unjudged]), StringComparison.Ordinal);
        Assert.Equal(90_000, RateAnswer.NearestMiss([unjudged, Missed(90_000)])!.RatePerSecond);
    }

    [Fact]
    public void RateAnswer_names_the_excluded_stalls()
    {
        ProvedRate proved = s_run.Proved! with
        {
            Excluded = new() { Stalls = 3, StalledSeconds = 0.0271, Seconds = 0.1, OfSeconds = 8, WithStallsUs = 9_400 },
        };
        Assert.Contains(
            ", excluding 3 stalls of the machine (27 ms in total, 1.3 % of the time excluded; 9.40 ms with stalls); ",
            RateAnswer.Of(s_run.Target, proved, []),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Page_explains_the_missed_rate_that_its_headline_names()
    {
        TuneRun run = s_run with { Rates = [Missed(70_000) with { TargetUs = 5_001 }, Kept(70_000), Missed(90_000)] };
        string page = RunReport.Of(run);
        Assert.Matches("<h1>[^<]*between this rate and 90,000,", page);
        Assert.Matches("<p class=\"verdict\">At 90,000 calls per second", page);
    }

    [Theory]
    [InlineData(2_800.0, 3_400.0, "2.80 ms to 3.40 ms", "2.80 ms to 3.40 ms")]
    [InlineData(6_460.0, null, "at least 6.46 ms, upper bound unknown", "at least 6.46 ms")]
    [InlineData(null, 3_400.0, "at most 3.40 ms, lower bound unknown", "at most 3.40 ms")]
    [InlineData(null, null, "unknown", "unknown")]
    public void Interval_is_formatted_with_known_and_unknown_bounds(double? low, double? high, string sentence, string cell)
    {
        Assert.Equal((sentence, cell), (RateAnswer.IntervalOf(low, high), RateAnswer.BoundsOf(low, high)));
        TuneRun run = s_run with { Proved = s_run.Proved! with { LowUs = low ?? double.NaN, HighUs = high } };
        Assert.DoesNotMatch(new Regex("–unknown|to –"), RunReport.Of(run) + RunAnswer.Of(run));
    }

    private static RateStep Kept(double rate) => s_kept with { RatePerSecond = rate };

    private static RateStep Missed(double rate) => s_missed with { RatePerSecond = rate };
}
