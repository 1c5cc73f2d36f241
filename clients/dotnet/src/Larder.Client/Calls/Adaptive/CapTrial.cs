namespace Larder.Client.Adaptive;

/// <summary>A limit that was too large for the target, with the counts of the window in which it applied.</summary>
internal sealed record CapTrial(int Limit, CapCounts Gave)
{
    /// <summary>
    /// The minimum fraction of the throughput that must remain after the limit is reduced. If at least this fraction remains, the throughput counts as
    /// unchanged.
    /// </summary>
    public const double Kept = 0.97;

    /// <summary>
    /// Returns whether this smaller limit was an improvement over a larger one (ADAPT-8). This is the case if clearly fewer calls exceeded the target, if the
    /// throughput stayed the same, or if latency fell by at least half of the expected reduction. The expected reduction is in proportion to the limit, as if
    /// calls spent all their time in a queue.
    /// </summary>
    public bool HelpedAfter(CapTrial larger)
    {
        bool fewer = Gave.OverShare < larger.Gave.OverShare * 0.7;
        bool quicker = 2.0 * larger.Limit * Gave.Mean.Ticks <= (double)larger.Gave.Mean.Ticks * (larger.Limit + Limit);
        return fewer || quicker || Gave.CallsPerSecond >= larger.Gave.CallsPerSecond * Kept;
    }
}
