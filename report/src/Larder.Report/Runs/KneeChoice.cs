using System.Globalization;
using static Larder.Report.InvariantText;

namespace Larder.Report.Runs;

/// <summary>Chooses the knee among the rungs and explains the choice.</summary>
internal static class KneeChoice
{
    /// <summary>
    /// Returns the rung with the smallest concurrency that reaches at least 98 % of the best throughput. Only rungs within the target count. If several such
    /// rungs have this concurrency, the first of them is returned. Returns null if no rung is within the target.
    /// </summary>
    public static ChosenKnee? Of(IReadOnlyList<SearchRung> rungs, TuneTarget target)
    {
        // Failed calls return quickly, so a rung with too many failed calls does not count.
        var points = rungs
            .Select(rung =>
                (rung.Callers, rung.RequestsPerSecond, LatencyUs: rung.Verdict?.Limit == StepLimit.Errors ? double.PositiveInfinity : LatencyUs(rung, target)))
            .ToList();
        if (Knee.Of(points, target.LimitUs) is not { } index)
        {
            return null;
        }

        return new ChosenKnee(
            index,
            Why(rungs[index], [.. points.Where(point => point.LatencyUs <= target.LimitUs).Select(point => point.RequestsPerSecond)], points.Count, target));
    }

    /// <summary>
    /// Returns the knee regardless of latency. The rate search starts from it. Returns null if all rungs have too many failed calls or no throughput.
    /// </summary>
    public static SearchRung? OfThroughput(IReadOnlyList<SearchRung> rungs)
    {
        SearchRung[] sound = [.. rungs.Where(rung => rung.Verdict?.Limit != StepLimit.Errors && rung.RequestsPerSecond > 0)];
        return Knee.Of([.. sound.Select(rung => (rung.Callers, rung.RequestsPerSecond, 0.0))]) is { } index ? sound[index] : null;
    }

    /// <summary>Returns the reason why there is no knee.</summary>
    public static string WhyNone(IReadOnlyList<SearchRung> rungs, TuneTarget target)
    {
        SearchRung? nearest = rungs.MinBy(rung => LatencyUs(rung, target));
        return nearest is null
            ? "nothing was measured"
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{TargetText.Of(target)} cannot be reached: the lowest {target.Name()} was {LatencyUs(nearest, target) / 1000:F2} ms, at "
                    + $"{nearest.Callers:N0} in flight ({nearest.Verdict?.Why ?? "unknown bottleneck"}).");
    }

    /// <summary>
    /// Explains the choice. <paramref name="within"/> contains the throughputs of the rungs within the target, out of <paramref name="all"/> rungs.
    /// </summary>
    private static string Why(SearchRung knee, IReadOnlyList<double> within, int all, TuneTarget target)
    {
        double best = within.Max();
        int good = within.Count(rate => rate >= best * Knee.ShareOfBest);
        FormattableString[] why = (within.Count, good) switch
        {
            (1, _) => [$"{knee.Callers:N0} in flight is the only one of {all} steps with {TargetText.Of(target)} ({best:N0}/s)."],
            (_, 1) =>
                [
                    $"{knee.Callers:N0} in flight has the best throughput ({best:N0}/s) among the {within.Count} of {all} steps with {TargetText.Of(target)}; ",
                    $"the others have less than {Knee.ShareOfBest:P0} of it.",
                ],
            _ =>
                [
                    $"{knee.Callers:N0} in flight is the smallest of {good} steps with at least {Knee.ShareOfBest:P0} of the best throughput ({best:N0}/s) ",
                    $"among the {within.Count} of {all} steps with {TargetText.Of(target)}.",
                ],
        };
        return Say(why);
    }

    private static double LatencyUs(SearchRung rung, TuneTarget target) => rung.Middle(one => one.Latency.AtUs(target.Quantile));
}
