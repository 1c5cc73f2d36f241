namespace Larder.Client.Adaptive;

/// <summary>A cap that was too large for the target, and what it gave.</summary>
internal sealed record CapTrial(int Limit, CapCounts Gave)
{
    /// <summary>Part of the throughput that a cap must keep to count as no loss.</summary>
    public const double Kept = 0.97;

    /// <summary>
    /// Whether this smaller cap was worth it (ADAPT-8): clearly fewer calls over the target, or at least half of the latency that a pure queue would
    /// have given back, or no throughput lost.
    /// </summary>
    public bool HelpedAfter(CapTrial larger)
    {
        bool fewer = Gave.OverShare < larger.Gave.OverShare * 0.7;
        bool quicker = 2.0 * larger.Limit * Gave.Mean.Ticks <= (double)larger.Gave.Mean.Ticks * (larger.Limit + Limit);
        return fewer || quicker || Gave.CallsPerSecond >= larger.Gave.CallsPerSecond * Kept;
    }
}
