using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Search;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>
/// The second phase, open loop: calls due at random intervals whether or not earlier ones are answered, so that queueing is not hidden. It finds the highest
/// rate that keeps each target, with the smallest cap, and confirms both. Targets share what was measured. It begins at the closed loop's
/// <paramref name="knee"/>, one of its <paramref name="rungs"/>.
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
    /// <summary>A closed loop's throughput is what no schedule keeps for long: arrivals of chance need room.</summary>
    private const double FirstGuess = 0.7;

    /// <summary>
    /// Callers beside those in flight, so that an arrival finds one: a burst of 500 waits in the client's own queue, as an application's would.
    /// </summary>
    private const int SpareCallers = 500;

    /// <summary>
    /// Warm-up of a round. What queues while its stream is opened and its caches are cold is worked off with what the load leaves free alone: at 85 % of the
    /// knee that takes six times as long. That is how a load begins, not how it is: after a warm-up of 0.25 and of 1 s, the felt p99.9 of .NET's unary at
    /// 860,000 a second was 64 and 17.5 ms, of its pipeline at 1,500,000 it was 25 and 14 ms (medians of three, alone on two processors).
    /// </summary>
    private const double WarmupSeconds = 1;

    /// <summary>Each of a confirmation's runs is so many times as long as a probe.</summary>
    private const double Confirmation = 2;

    private const int RunsOfConfirmation = 2;

    /// <summary>Runs of the least length that the time must have room for when the search ends: a confirmation's, and those of one more.</summary>
    private const int RunsKept = 2 * RunsOfConfirmation;

    /// <summary>Part of a target's time at most that is so kept, however rare its calls are.</summary>
    private const double MostReserve = 0.4;

    private const int CalmMoments = 2;
    private const int MostMoments = 20;
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(250);

    /// <summary>Runs of confirmations that a target gets whatever is left of the budget, where any rate was kept.</summary>
    private const int LeastConfirmations = 2;

    /// <summary>Samples above the percentile that it needs to say anything: ten; three times as many to confirm.</summary>
    private const double LeastAbove = 10;

    /// <summary>A confirmation is at least so long, whatever is left of the budget: the answer rests on it.</summary>
    private const double LeastConfirmation = 2;

    /// <summary>Up to so long it is as long as ten samples above the percentile need.</summary>
    private const double MostOfLeastConfirmation = 8;

    /// <summary>The same of a probe: in fewer calls the percentile is the slowest but one or two, and any disturbance decides.</summary>
    private const double MostOfLeastProbe = 1;

    private readonly List<RateTrial> _trials = [];
    private volatile IReadOnlyList<RateStep> _stepsSoFar = [];

    /// <summary>The steps of the search under way. For any thread.</summary>
    public IReadOnlyList<RateStep> StepsSoFar => _stepsSoFar;

    /// <summary>The proved rate of a target, and the steps that led there; <paramref name="kept"/> is for what comes later.</summary>
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
        TimeSpan mostReserve = (budget.Left - kept) * MostReserve;
        while (search.Next is { } asked)
        {
            TimeSpan left = budget.Left - kept;
            TimeSpan reserve = budget.Expected(RunsKept, LeastOf(asked, target) + WarmupSeconds);
            if (asked.Kind != RateStepKind.Confirm && left < (reserve < mostReserve ? reserve : mostReserve))
            {
                search.Hurry();
            }

            if (options.Seconds is null && left <= TimeSpan.Zero && (search.Next!.Kind != RateStepKind.Confirm || confirmations >= LeastConfirmations))
            {
                search.End();
                break;
            }

            if (search.Next!.Attempt > 1)
            {
                await WaitForCalmAsync().ConfigureAwait(false);
            }

            RateTrial trial = await MeasureAsync(search, search.Next!, target, kept).ConfigureAwait(false);
            _trials.Add(trial);
            RateStep step = trial.StepFor(target, tested.Variant, options.NoiseLimit);
            steps.Add(step);
            _stepsSoFar = [.. steps];
            confirmations += step.Kind == RateStepKind.Confirm ? 1 : 0;
            if (options.Seconds is null)
            {
                search.HasTimeFor((budget.Left - kept) / budget.Expected(RunsOfConfirmation, LeastOf(trial.Asked, target) + WarmupSeconds));
            }

            search.Add(ExcessOf(step, target), ObjectiveCheck.IsDisturbed(step), WeightOf(step, target));
            view.OnRate(step, target);
        }

        return (search.Found is { } found ? ProvedOf(found, target) : null, steps);
    }

    /// <summary>
    /// Until the machine has withheld nothing for some moments, but not for long: what is asked again in the midst of a disturbance only meets it again.
    /// </summary>
    private async Task WaitForCalmAsync()
    {
        int calm = 0;
        for (int moment = 0; moment < MostMoments && calm < CalmMoments && tested.Contender.Meter is { } meter; moment++)
        {
            StallReading before = meter.Read();
            await Task.Delay(s_moment).ConfigureAwait(false);
            MachineStalls seen = meter.Read().Since(before);
            calm = seen is { Over5Ms: 0, StolenSeconds: < 0.02 } ? calm + 1 : 0;
        }
    }

    /// <summary>How many calls lie above the percentile: what is known of it rests on them.</summary>
    private static double WeightOf(RateStep step, TuneTarget target) => Math.Max(0.01, step.Measured.Latency.Samples * (1 - target.Quantile));

    private static double ExcessOf(RateStep step, TuneTarget target) => step.TargetUs / target.LimitUs ?? double.PositiveInfinity;

    /// <summary>A miss that another target may rely on: with calls enough, and undisturbed.</summary>
    private static bool IsSound(RateStep step, TuneTarget target) =>
        !ObjectiveCheck.IsDisturbed(step) && step.Measured.Latency.Samples * (1 - target.Quantile) >= LeastAbove;

    /// <summary>The shortest that a confirmation at that rate may be.</summary>
    private static double LeastOf(PlannedTrial asked, TuneTarget target) =>
        Math.Clamp(LeastAbove / (1 - target.Quantile) / asked.RatePerSecond, LeastConfirmation, MostOfLeastConfirmation);

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

    /// <summary>What other targets' searches measured with the largest cap.</summary>
    private IEnumerable<RateStep> Known(TuneTarget target) =>
        _trials.Where(one => one.Asked.Cap == knee.Callers)
            .Select(one => one.StepFor(target, tested.Variant, options.NoiseLimit) with { Kind = RateStepKind.Probe, Attempt = 1, Run = 1 });

    private async Task<RateTrial> MeasureAsync(RateSearch search, PlannedTrial asked, TuneTarget target, TimeSpan kept)
    {
        double units = asked.Kind == RateStepKind.Confirm ? Confirmation : 1;
        double needed = units * LeastAbove / (1 - target.Quantile) / asked.RatePerSecond;
        double least = asked.Kind == RateStepKind.Confirm ? LeastOf(asked, target) : Math.Clamp(needed, TimeBudget.LeastSeconds, MostOfLeastProbe);
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
