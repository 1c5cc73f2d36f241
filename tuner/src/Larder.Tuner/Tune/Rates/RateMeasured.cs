using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Search;

namespace Larder.Tuner.Tune.Rates;

/// <summary>A round of the rate search: what was asked and what came; each target makes its own step of it.</summary>
internal sealed record RateMeasured(RateQuestion Asked, Round Round)
{
    /// <summary>Calls that were not begun in time, or failed.</summary>
    public long Lost => Round.Unstarted + Round.Errors.Values.Sum();

    /// <summary>The step that it is for a target.</summary>
    public RateStep StepFor(TuneTarget target, ArmName arm, double noiseLimit)
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
        return RateJudge.MissOf(step, target) is { } miss
            ? step with { Miss = miss, Verdict = RateJudge.Of(step, target, StepEvidence.Of(arm, Asked.Cap, [Round], noiseLimit)) }
            : step;
    }

    /// <summary>The target's percentile of several rounds together, with its interval.</summary>
    public static QuantileInterval FigureOf(IReadOnlyList<RateMeasured> measured, TuneTarget target)
    {
        var histogram = new LoadHistogram();
        foreach (RateMeasured one in measured)
        {
            histogram.Add(one.Round.Histogram);
        }

        long lost = measured.Sum(one => one.Lost);
        double us = QuantileInterval.Of(histogram, lost, target.Quantile, []).Us;
        return QuantileInterval.Of(histogram, lost, target.Quantile, TimeBatches.Of([.. measured.Select(one => one.Round)], us, 1 - target.Quantile));
    }

    private static double? Known(double us) => double.IsFinite(us) ? us : null;
}
