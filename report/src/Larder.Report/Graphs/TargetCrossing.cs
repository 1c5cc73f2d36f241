namespace Larder.Report.Graphs;

/// <summary>Finds the point at which the latency crosses the target.</summary>
internal static class TargetCrossing
{
    /// <summary>
    /// Returns the point between two neighbouring points at which the latency first exceeds the limit. Returns null if the latency never exceeds the limit, or
    /// exceeds it from the start. Callers and latency are interpolated logarithmically, because the graphs have logarithmic axes.
    /// </summary>
    /// <param name="points">The callers, throughput and latency, in ascending order of callers.</param>
    /// <param name="limit">The target, in the unit of the latency.</param>
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
