namespace Larder.Report.Graphs;

/// <summary>Where latency crosses the target.</summary>
internal static class TargetCrossing
{
    /// <summary>
    /// The place, between two neighbouring points, where y first rises over the limit; null when it never does or is above it from the start. Between points
    /// both coordinates are taken to grow by equal factors, as they are drawn.
    /// </summary>
    /// <param name="points">Callers, throughput and latency, ascending by callers.</param>
    /// <param name="limit">The target, in the latency's unit.</param>
    public static (double Callers, double RequestsPerSecond)? Of(IReadOnlyList<(double Callers, double RequestsPerSecond, double Latency)> points, double limit)
    {
        for (int i = 1; i < points.Count; i++)
        {
            ((double Callers, double RequestsPerSecond, double Latency) before, (double Callers, double RequestsPerSecond, double Latency) after) = (
                points[i - 1],
                points[i]);
            if (before.Latency <= limit && after.Latency > limit && before.Latency > 0)
            {
                double share = Math.Log(limit / before.Latency) / Math.Log(after.Latency / before.Latency);
                return (
                    before.Callers * Math.Pow(after.Callers / before.Callers, share),
                    before.RequestsPerSecond + ((after.RequestsPerSecond - before.RequestsPerSecond) * share));
            }
        }

        return null;
    }
}
