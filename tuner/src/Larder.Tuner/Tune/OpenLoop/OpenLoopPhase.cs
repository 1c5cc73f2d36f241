using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
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
    ClientUnderTest tested,
    IReadOnlyList<SearchRung> rungs,
    SearchRung knee,
    TuneOptions options,
    RoundRunner rounds,
    TimeBudget budget,
    ITuneView view)
{
    /// <summary>
    /// The first guess as a fraction of the throughput at the knee. An open loop cannot sustain the full throughput of a closed loop, because random arrivals
    /// need spare capacity.
    /// </summary>
    private const double FirstGuess = 0.7;

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

    /// <summary>The length of a confirmation run as a multiple of a probe.</summary>
    private const double Confirmation = 2;

    private const int RunsOfConfirmation = 2;

    /// <summary>
    /// The number of confirmation runs for which time is reserved at the end of the search. It is enough for two confirmations, so the first confirmation may
    /// miss the target.
    /// </summary>
    private const int RunsKept = 2 * RunsOfConfirmation;

    /// <summary>
    /// The maximum fraction of a target's time that is reserved for confirmations. It applies even if the rate is so low that a confirmation needs more time.
    /// </summary>
    private const double MaxReserve = 0.4;

    private const int QuietChecks = 2;
    private const int MaxMoments = 20;
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(250);

    /// <summary>The number of confirmation runs that a target gets even if the budget is used up. This applies only if some rate met the target.</summary>
    private const int MinConfirmations = 2;

    /// <summary>The minimum number of calls above the percentile for a meaningful result.</summary>
    private const double MinMargin = 10;

    /// <summary>The minimum length of a confirmation in seconds, even if the budget is used up. The result depends on the confirmation.</summary>
    private const double MinConfirmation = 2;

    /// <summary>
    /// The upper limit of a confirmation's minimum length, in seconds. The minimum length is the time for ten calls above the percentile, which is very long at
    /// low rates.
    /// </summary>
    private const double MaxOfLeastConfirmation = 8;

    /// <summary>
    /// The upper limit of a probe's minimum length, in seconds. The minimum length is the time for ten calls above the percentile. With fewer calls, the
    /// percentile is one of the slowest few calls, and any disturbance decides the outcome.
    /// </summary>
    private const double MaxOfLeastProbe = 1;

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
        var search = new RateSearch(FirstGuess * knee.RequestsPerSecond, knee.Callers);
        List<RateStep> steps = [.. Known(target)];
        _stepsSoFar = [.. steps];
        search.Takes(rungs.Min(rung => rung.P50Us) / 1e6);
        search.Know(
            [
                .. steps.Where(step => step.Miss is null || IsSound(step, target))
                    .Select(step => (step.RatePerSecond, ExcessOf(step, target), WeightOf(step, target))),
            ]);
        int confirmations = 0;
        TimeSpan mostReserve = (budget.Left - kept) * MaxReserve;
        while (search.Next is { } asked)
        {
            TimeSpan left = budget.Left - kept;
            TimeSpan reserve = budget.Expected(RunsKept, MinSecondsOf(asked, target) + WarmupSeconds);
            if (asked.Kind != RateStepKind.Confirm && left < (reserve < mostReserve ? reserve : mostReserve))
            {
                search.ShortenSearch();
            }

            if (options.Seconds is null && left <= TimeSpan.Zero && (search.Next!.Kind != RateStepKind.Confirm || confirmations >= MinConfirmations))
            {
                search.End();
                break;
            }

            if (search.Next!.Attempt > 1)
            {
                await WaitForQuietAsync().ConfigureAwait(false);
            }

            RateTrial trial = await MeasureAsync(search, search.Next!, target, kept).ConfigureAwait(false);
            _trials.Add(trial);
            RateStep step = trial.StepFor(target, tested.Variant, options.NoiseLimit);
            steps.Add(step);
            _stepsSoFar = [.. steps];
            confirmations += step.Kind == RateStepKind.Confirm ? 1 : 0;
            if (options.Seconds is null)
            {
                search.HasTimeFor((budget.Left - kept) / budget.Expected(RunsOfConfirmation, MinSecondsOf(trial.Asked, target) + WarmupSeconds));
            }

            search.Add(ExcessOf(step, target), ObjectiveCheck.IsDisturbed(step), WeightOf(step, target));
            view.OnRate(step, target);
        }

        return (search.Found is { } found ? ProvedOf(found, target) : null, steps);
    }

    /// <summary>
    /// Waits, for a limited time, until the machine has had no stalls for half a second. If a trial were repeated during a disturbance, it would be disturbed
    /// again.
    /// </summary>
    private async Task WaitForQuietAsync()
    {
        int calm = 0;
        for (int moment = 0; moment < MaxMoments && calm < QuietChecks && tested.Contender.Meter is { } meter; moment++)
        {
            StallReading before = meter.Read();
            await Task.Delay(s_moment).ConfigureAwait(false);
            MachineStalls seen = meter.Read().Since(before);
            calm = seen is { Over5Ms: 0, StolenSeconds: < 0.02 } ? calm + 1 : 0;
        }
    }

    /// <summary>Returns the number of calls above the percentile. The accuracy of the percentile depends on this number.</summary>
    private static double WeightOf(RateStep step, TuneTarget target) => Math.Max(0.01, step.Measured.Latency.Samples * (1 - target.Quantile));

    private static double ExcessOf(RateStep step, TuneTarget target) => step.TargetUs / target.LimitUs ?? double.PositiveInfinity;

    /// <summary>
    /// Returns whether the search for <paramref name="target"/> may use a step that was measured for another target and that missed <paramref name="target"/>.
    /// The step must have enough calls and must not have been disturbed.
    /// </summary>
    private static bool IsSound(RateStep step, TuneTarget target) =>
        !ObjectiveCheck.IsDisturbed(step) && step.Measured.Latency.Samples * (1 - target.Quantile) >= MinMargin;

    /// <summary>Returns the minimum length of a confirmation at the rate of a trial, in seconds.</summary>
    private static double MinSecondsOf(PlannedTrial asked, TuneTarget target) =>
        Math.Clamp(MinMargin / (1 - target.Quantile) / asked.RatePerSecond, MinConfirmation, MaxOfLeastConfirmation);

    private ProvedRate ProvedOf(RateFinding found, TuneTarget target)
    {
        RateTrial[] runs =
        [
            .. _trials.Where(one => one.Asked.Kind == RateStepKind.Confirm && one.Asked.RatePerSecond == found.RatePerSecond && one.Asked.Cap == found.Cap)
                .Where(one => RateTrial.FigureOf([one], target).Us <= target.LimitUs)
                .TakeLast(2),
        ];
        QuantileInterval figure = RateTrial.FigureOf(runs, target);
        return new()
        {
            RatePerSecond = found.RatePerSecond,
            Cap = found.Cap,
            TargetUs = figure.Us,
            LowUs = figure.LowUs,
            HighUs = double.IsFinite(figure.HighUs) ? figure.HighUs : null,
            RunsUs = [.. runs.Select(run => RateTrial.FigureOf([run], target).Us)],
            BreaksAt = found.BreaksAt,
        };
    }

    /// <summary>Returns the measurements of the searches for other targets that used the largest limit.</summary>
    private IEnumerable<RateStep> Known(TuneTarget target) =>
        _trials.Where(one => one.Asked.Cap == knee.Callers)
            .Select(one => one.StepFor(target, tested.Variant, options.NoiseLimit) with { Kind = RateStepKind.Probe, Attempt = 1, Run = 1 });

    private async Task<RateTrial> MeasureAsync(RateSearch search, PlannedTrial asked, TuneTarget target, TimeSpan kept)
    {
        double units = asked.Kind == RateStepKind.Confirm ? Confirmation : 1;
        double needed = units * MinMargin / (1 - target.Quantile) / asked.RatePerSecond;
        double least = asked.Kind == RateStepKind.Confirm ? MinSecondsOf(asked, target) : Math.Clamp(needed, TimeBudget.MinSeconds, MaxOfLeastProbe);
        double seconds = budget.ScheduledSeconds(search.Left(Confirmation), units, needed, WarmupSeconds - OfferedLoad.UsualWarmupSeconds, kept, least);
        rounds.ShowTimeLeft(budget.Left < kept ? kept : budget.Left);
        var step = new LoadStep(TunePhase.Rate, asked.Cap, knee.Channels, asked.RatePerSecond, asked.Attempt, asked.Attempt, asked.Kind);
        Round round = await rounds
            .RunOnceAsync(
                tested,
                step,
                new OfferedLoad(asked.Cap + SpareCallers, asked.Cap, seconds, RatePerSecond: asked.RatePerSecond, WarmupSeconds: WarmupSeconds))
            .ConfigureAwait(false);
        return new(asked, round);
    }
}
