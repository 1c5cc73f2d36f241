namespace Larder.Report.Runs;

/// <summary>Reads the knee off a sweep.</summary>
internal static class Knee
{
    /// <summary>Part of the best throughput that the knee must reach.</summary>
    public const double ShareOfBest = 0.98;

    /// <summary>
    /// Index of the smallest concurrency that reaches 98 % of the best throughput, among points whose latency is within the target; null when none is.
    /// More callers than that only wait longer.
    /// </summary>
    /// <param name="points">Concurrency, throughput and the latency that the target is about, in any order.</param>
    /// <param name="targetUs">Highest latency that will do, in µs; null for any.</param>
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
