using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Search;
using Larder.Tuner.Tune.Bottlenecks;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>A trial of the rate search with its result. The result is evaluated for each target separately.</summary>
internal sealed record RateTrial(PlannedTrial Asked, Round Round)
{
    /// <summary>Gets the number of calls that did not start in time, or failed.</summary>
    public long Lost => Round.Unstarted + Round.Errors.Values.Sum();

    /// <summary>Evaluates the trial for a target.</summary>
    public RateStep StepFor(TuneTarget target, ClientVariant tested, double noiseLimit)
    {
        QuantileInterval figure = FigureOf([this], target);
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
            StallShareOfTail = Round.Stalls?.ShareOfTail(target.Quantile, target.LimitUs),
        };
        return ObjectiveCheck.MissOf(step, target) is { } miss
            ? step with { Miss = miss, Verdict = ObjectiveCheck.Of(step, target, ResourceUse.Of(tested, Asked.Cap, [Round], noiseLimit)) }
            : step;
    }

    /// <summary>Returns the target's percentile of several pooled rounds, with its interval.</summary>
    public static QuantileInterval FigureOf(IReadOnlyList<RateTrial> trials, TuneTarget target)
    {
        var histogram = new LoadHistogram();
        foreach (RateTrial one in trials)
        {
            histogram.Add(one.Round.Histogram);
        }

        long lost = trials.Sum(one => one.Lost);
        double us = QuantileInterval.Of(histogram, lost, target.Quantile, []).Us;
        return QuantileInterval.Of(histogram, lost, target.Quantile, TimeBatches.Of([.. trials.Select(one => one.Round)], us, 1 - target.Quantile));
    }

    private static double? Known(double us) => double.IsFinite(us) ? us : null;
}
