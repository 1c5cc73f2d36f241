namespace Larder.Report.Runs;

/// <summary>Finds the knee of a sweep.</summary>
internal static class Knee
{
    /// <summary>The share of the best throughput that the knee must reach.</summary>
    public const double ShareOfBest = 0.98;

    /// <summary>
    /// Returns the index of the smallest concurrency that reaches 98 % of the best throughput. Only points whose latency is within the target count. Returns
    /// null if there is no such point. With higher concurrency, calls only wait longer.
    /// </summary>
    /// <param name="points">The concurrency, the throughput, and the latency at the target's percentile of each point. The points may be in any order.</param>
    /// <param name="targetUs">The maximum latency in µs; null for no limit.</param>
    public static int? Of(IReadOnlyList<(int InFlight, double RequestsPerSecond, double LatencyUs)> points, double? targetUs = null)
    {
        int[] within = Enumerable.Range(0, points.Count).Where(i => targetUs is null || points[i].LatencyUs <= targetUs).ToArray();
        if (within.Length == 0)
        {
            return null;
        }

        double best = within.Max(i => points[i].RequestsPerSecond);
        return within.Where(i => points[i].RequestsPerSecond >= best * ShareOfBest).MinBy(i => points[i].InFlight);
    }
}
