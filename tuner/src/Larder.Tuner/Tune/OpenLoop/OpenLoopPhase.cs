using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Search;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>
/// The second phase, an open loop. Calls are due at random intervals, whether or not earlier calls are complete, so queueing is not hidden. This phase finds
/// the highest rate that meets each target, with the smallest concurrency limit, and confirms both. All targets share the measurements. The search starts from
/// <paramref name="knee"/> of the closed loop, which is one of <paramref name="rungs"/>.
/// </summary>
internal sealed class OpenLoopPhase(
    IScheduledLoad load,
    IReadOnlyList<SearchRung> rungs,
    SearchRung knee,
    TuneOptions options,
    TimeBudget budget,
    ITuneView view)
{
    /// <summary>
    /// The number of callers beyond the concurrency limit. They ensure that each arrival finds a free caller. A burst of 500 calls then waits in the queue of
    /// the client, as it would in an application.
    /// </summary>
    private const int SpareCallers = 500;

    /// <summary>
    /// The warm-up time of a round. Calls queue while a stream opens and caches are cold. Only the spare capacity reduces this queue, so at 85 % of the knee,
    /// the queue needs about six times as long to drain as it needed to build up. This effect belongs to the start of a load, not to its steady state. A
    /// warm-up of 1 s instead of 0.25 s reduced the p99.9 of .NET's unary transport at 860,000 calls per second from 64 ms to 17.5 ms, and the p99.9 of its
    /// pipeline at 1,500,000 calls per second from 25 ms to 14 ms (medians of three measurements on two otherwise idle processors).
    /// </summary>
    private const double WarmupSeconds = 1;

    /// <summary>The length of a confirmation run as a multiple of a probe. The runs that confirm the safe rate are as long as probes.</summary>
    private const double Confirmation = 2;

    /// <summary>The minimum number of calls above the percentile for a meaningful result.</summary>
    private const double MinTail = 10;

    /// <summary>The minimum length of a confirmation in seconds, even if the budget is used up. The result depends on the confirmation.</summary>
    private const double MinConfirmation = 2;

    /// <summary>
    /// The upper limit of a confirmation's minimum length, in seconds. At low rates and with high limits, the minimum length would be very long.
    /// </summary>
    private const double MaxOfLeastConfirmation = 8;

    /// <summary>The fraction of the knee's rate below which calls seldom wait for each other.</summary>
    private const double LowRate = 0.2;

    /// <summary>The minimum length of a probe in seconds. A shorter probe saves little time, because the warm-up takes as long.</summary>
    private const double MinProbe = 1;

    private readonly List<RateTrial> _trials = [];
    private volatile IReadOnlyList<RateStep> _stepsSoFar = [];

    /// <summary>Gets the steps of the current search. Thread-safe.</summary>
    public IReadOnlyList<RateStep> StepsSoFar => _stepsSoFar;

    /// <summary>
    /// Searches for the highest rate that meets a target. Returns the proved rate and the steps of the search. <paramref name="kept"/> is reserved for later
    /// phases.
    /// </summary>
    public async Task<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)> RunAsync(TuneTarget target, TimeSpan kept)
    {
        var search = new RateSearch(knee.RequestsPerSecond, knee.Callers);
        List<RateStep> steps = [.. Known(target)];
        _stepsSoFar = [.. steps];
        search.Takes(rungs.Min(rung => rung.P50Us) / 1e6);
        search.Know(
            [.. steps.Where(step => IsSound(step, target)).Select(step => (step.RatePerSecond, ExcessOf(step, target), WeightOf(step, target)))],
            ConfirmedBefore(target));
        int runs = 0;
        while (search.Next is { } asked)
        {
            // The confirmation of the first safe rate runs even if the budget is used up.
            if (options.Seconds is null && budget.Left <= kept && (runs >= RateSearch.RunsOfConfirmation || search.Found is not null))
            {
                search.End();
                break;
            }

            if (asked.Attempt > 1)
            {
                await load.WaitForQuietAsync().ConfigureAwait(false);
            }

            RateTrial trial = await MeasureAsync(search, asked, target, kept).ConfigureAwait(false);
            runs++;
            _trials.Add(trial);
            RateStep step = trial.StepFor(target, load.Variant, options.NoiseLimit);
            steps.Add(step);
            _stepsSoFar = [.. steps];
            if (options.Seconds is null)
            {
                search.HasTimeFor((budget.Left - kept) / budget.Expected(1, MinSecondsOf(asked, target) + WarmupSeconds));
            }

            search.Add(ExcessOf(step, target), step.NotJudged, WeightOf(step, target));
            view.OnRate(step, target);
        }

        return (search.Found is { } found ? ProvedOf(found, target, steps, search.IsCutShort) : null, steps);
    }

    /// <summary>Returns the number of calls above the percentile. The accuracy of the percentile depends on this number.</summary>
    private static double WeightOf(RateStep step, TuneTarget target) => Math.Max(0.01, step.Measured.Latency.Samples * (1 - target.Quantile));

    private static double ExcessOf(RateStep step, TuneTarget target) => step.TargetUs / target.LimitUs ?? double.PositiveInfinity;

    /// <summary>
    /// Returns whether the search for <paramref name="target"/> may use a step that was measured for another target. A step that missed must have enough calls.
    /// </summary>
    private static bool IsSound(RateStep step, TuneTarget target) =>
        step.Miss is null || (step.IsMissed && step.Measured.Latency.Samples * (1 - target.Quantile) >= MinTail);

    /// <summary>
    /// Returns the minimum length of a confirmation at the rate of a trial, in seconds. Ten calls must be above the percentile. At a low rate, no queue
    /// explains a miss, and a single pause must not decide the outcome: the fraction of the time that may be slow is at least as long as the target's limit
    /// (5 ms are 0.1 % of 5 s).
    /// </summary>
    private double MinSecondsOf(PlannedTrial asked, TuneTarget target)
    {
        double pause = asked.RatePerSecond < knee.RequestsPerSecond * LowRate ? target.LimitUs / 1e6 : 0;
        return Math.Clamp(Math.Max(MinTail / asked.RatePerSecond, pause) / (1 - target.Quantile), MinConfirmation, MaxOfLeastConfirmation);
    }

    private ProvedRate ProvedOf(RateFinding found, TuneTarget target, IReadOnlyList<RateStep> steps, bool isOutOfTime)
    {
        RateTrial[] runs = [.. ConfirmationsOf(found, target).TakeLast(RateSearch.RunsOfConfirmation)];
        (QuantileInterval figure, ExcludedStalls? excluded, _) = RateTrial.FigureOf(runs, target);
        var proved = new ProvedRate
        {
            RatePerSecond = found.RatePerSecond,
            Cap = found.Cap,
            TargetUs = figure.Us,
            LowUs = figure.LowUs,
            HighUs = double.IsFinite(figure.HighUs) ? figure.HighUs : null,
            RunsUs = [.. runs.Select(run => RateTrial.FigureOf([run], target).Figure.Us)],
            Excluded = excluded,
            OutOfTime = isOutOfTime,
        };
        return proved with { BreaksAt = RateAnswer.LowestMiss(proved, steps) };
    }

    /// <summary>Returns the confirmation runs of a rate and a concurrency limit that meet a target.</summary>
    private IEnumerable<RateTrial> ConfirmationsOf(RateFinding found, TuneTarget target) =>
        _trials.Where(one => one.Asked.Kind == RateStepKind.Confirm && one.Asked.RatePerSecond == found.RatePerSecond && one.Asked.Cap == found.Cap)
            .Where(one => RateTrial.FigureOf([one], target).Figure.Us <= target.LimitUs);

    /// <summary>Returns the highest rate for which the searches for other targets ran confirmations that also meet this target.</summary>
    private RateFinding? ConfirmedBefore(TuneTarget target) =>
        _trials.Select(one => new RateFinding(one.Asked.RatePerSecond, one.Asked.Cap))
            .Distinct()
            .Where(rate => ConfirmationsOf(rate, target).Count() >= RateSearch.RunsOfConfirmation)
            .OrderByDescending(rate => rate.RatePerSecond)
            .ThenBy(rate => rate.Cap)
            .FirstOrDefault();

    /// <summary>Returns the measurements of the searches for other targets that used the largest limit.</summary>
    private IEnumerable<RateStep> Known(TuneTarget target) =>
        _trials.Where(one => one.Asked.Cap == knee.Callers)
            .Select(one => one.StepFor(target, load.Variant, options.NoiseLimit) with { Kind = RateStepKind.Probe, Attempt = 1, Run = 1 });

    private async Task<RateTrial> MeasureAsync(RateSearch search, PlannedTrial asked, TuneTarget target, TimeSpan kept)
    {
        double units = asked.Kind == RateStepKind.Confirm && search.Found is not null ? Confirmation : 1;
        double needed = units * MinTail / (1 - target.Quantile) / asked.RatePerSecond;
        double least = asked.Kind == RateStepKind.Confirm ? MinSecondsOf(asked, target) : MinProbe;
        double seconds = budget.ScheduledSeconds(search.Left(Confirmation), units, needed, WarmupSeconds - OfferedLoad.UsualWarmupSeconds, kept, least);
        load.ShowTimeLeft(budget.Left < kept ? kept : budget.Left);
        var step = new LoadStep(TunePhase.Rate, asked.Cap, knee.Channels, asked.RatePerSecond, asked.Attempt, asked.Attempt, asked.Kind);
        Round round = await load
            .RunAsync(
                step,
                new OfferedLoad(asked.Cap + SpareCallers, asked.Cap, seconds, RatePerSecond: asked.RatePerSecond, WarmupSeconds: WarmupSeconds)
                {
                    SliceMs = QuietTime.SliceMs,
                })
            .ConfigureAwait(false);
        return new(asked, round, asked.RatePerSecond / knee.RequestsPerSecond);
    }
}
