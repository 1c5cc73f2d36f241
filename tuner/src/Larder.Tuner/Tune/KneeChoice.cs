using System.Globalization;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune;

/// <summary>Chooses the knee among rungs, and says why.</summary>
internal static class KneeChoice
{
    /// <summary>The smallest concurrency with at least 98 % of the best throughput within the target, over the fewest channels; null when no rung is within it.</summary>
    public static ChosenKnee? Of(IReadOnlyList<SearchRung> rungs, TuneTarget target)
    {
        // Failed calls answer quickly: what mostly fails is no throughput.
        var points = rungs.Select(rung => (rung.Callers, rung.RequestsPerSecond, LatencyUs: rung.Verdict?.Limit == StepLimit.Errors ? double.PositiveInfinity : LatencyUs(rung, target))).ToList();
        if (Knee.Of(points, target.LimitUs) is not { } index)
        {
            return null;
        }

        var within = points.Where(point => point.LatencyUs <= target.LimitUs).ToList();
        var good = within.Count(point => point.RequestsPerSecond >= within.Max(other => other.RequestsPerSecond) * Knee.ShareOfBest);
        return new ChosenKnee(index, string.Create(
            CultureInfo.InvariantCulture,
            $"{rungs[index].Callers:N0} in flight is the smallest of {good} rungs with at least {Knee.ShareOfBest:P0} of the best throughput ({within.Max(point => point.RequestsPerSecond):N0}/s) among the {within.Count} of {points.Count} with {TargetText.Of(target)}."));
    }

    /// <summary>Why no rung will do.</summary>
    public static string WhyNone(IReadOnlyList<SearchRung> rungs, TuneTarget target)
    {
        var nearest = rungs.MinBy(rung => LatencyUs(rung, target));
        return nearest is null
            ? "nothing was measured"
            : string.Create(CultureInfo.InvariantCulture, $"{TargetText.Of(target)} cannot be reached here: the lowest {target.Name()} was {LatencyUs(nearest, target) / 1000:F2} ms, at {nearest.Callers:N0} in flight ({nearest.Verdict?.Why ?? "nobody judged why"}).");
    }

    private static double LatencyUs(SearchRung rung, TuneTarget target) => rung.Middle(one => one.Latency.AtUs(target.Quantile));
}
