using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Search;
using Larder.Tuner.Tune.Bottlenecks;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>
/// A trial of the rate search with its result. The result is evaluated for each target separately. <paramref name="Utilization"/> is the rate as a fraction of
/// the throughput at the knee.
/// </summary>
internal sealed record RateTrial(PlannedTrial Asked, Round Round, double Utilization)
{
    /// <summary>Evaluates the trial for a target.</summary>
    public RateStep StepFor(TuneTarget target, ClientVariant tested, double noiseLimit)
    {
        (QuantileInterval figure, ExcludedStalls? excluded, bool isTooStalled) = FigureOf([this], target);
        var step = new RateStep
        {
            Kind = Asked.Kind,
            RatePerSecond = Asked.RatePerSecond,
            Cap = Asked.Cap,
            Attempt = Asked.Attempt,
            Run = Asked.Run,
            Measured = RoundFigures.Of(Round, noiseLimit),
            Service = RoundFigures.Summary(Round.ServiceHistogram ?? new LoadHistogram()),
            Late = Round.LateHistogram is { Total: > 0 } late ? RoundFigures.Summary(late) : null,
            Unstarted = Round.Unstarted,
            TargetUs = Known(figure.Us),
            LowUs = Known(figure.LowUs),
            HighUs = Known(figure.HighUs),
            Excluded = excluded,
            StallShareOfTail = Round.Stalls?.ShareOfTail(target.Quantile, target.LimitUs),
        };
        if (ObjectiveCheck.MissOf(step, target) is not { } miss)
        {
            return step;
        }

        bool isStalled = Round.StallPeriods.Count > 0
            ? isTooStalled || excluded?.Share > QuietTime.MaxShareOfMiss
            : step.StallShareOfTail >= ObjectiveCheck.Most;
        StepVerdict verdict = ObjectiveCheck.Of(step, target, ResourceUse.Of(tested, Asked.Cap, [Round], noiseLimit), isStalled);
        return step with { Miss = miss, Verdict = verdict, NotJudged = ObjectiveCheck.IsDisturbance(verdict.Limit) };
    }

    /// <summary>
    /// Returns the target's percentile of several pooled rounds, with its interval. Time in which the machine stalled is excluded. If that is too large a part
    /// of the measured time, nothing is excluded, and <c>IsTooStalled</c> is true.
    /// </summary>
    public static (QuantileInterval Figure, ExcludedStalls? Excluded, bool IsTooStalled) FigureOf(IReadOnlyList<RateTrial> trials, TuneTarget target)
    {
        Round[] whole = [.. trials.Select(one => one.Round)];
        QuantileInterval all = FigureOf(whole, target);
        (Round Quiet, ExcludedStalls? Excluded)[] quiet = [.. trials.Select(one => QuietTime.Of(one.Round, target.LimitUs, one.Utilization))];
        bool isTooStalled = Array.Exists(quiet, one => one.Excluded?.Share > QuietTime.MaxShare);
        // A round with too many stalls counts as a whole, also together with other rounds. Otherwise, runs that each meet the target could miss it together.
        quiet = [.. quiet.Zip(whole, (one, round) => one.Excluded?.Share > QuietTime.MaxShare ? (round, null) : one)];
        ExcludedStalls[] excluded = [.. quiet.Select(one => one.Excluded).OfType<ExcludedStalls>()];
        var sum = new ExcludedStalls
        {
            Stalls = excluded.Sum(one => one.Stalls),
            StalledSeconds = excluded.Sum(one => one.StalledSeconds),
            Seconds = excluded.Sum(one => one.Seconds),
            OfSeconds = whole.Sum(round => round.MeasuredSeconds),
            WithStallsUs = Known(all.Us),
        };
        return sum.Stalls == 0 ? (all, null, isTooStalled) : (FigureOf([.. quiet.Select(one => one.Quiet)], target), sum, isTooStalled);
    }

    private static QuantileInterval FigureOf(IReadOnlyList<Round> rounds, TuneTarget target)
    {
        var histogram = new LoadHistogram();
        foreach (Round round in rounds)
        {
            histogram.Add(round.Histogram);
        }

        long lost = rounds.Sum(round => round.Unstarted + round.Errors.Values.Sum());
        double us = QuantileInterval.Of(histogram, lost, target.Quantile, []).Us;
        return QuantileInterval.Of(histogram, lost, target.Quantile, TimeBatches.Of(rounds, us, 1 - target.Quantile));
    }

    private static double? Known(double us) => double.IsFinite(us) ? us : null;
}
