namespace Larder.Tuner.Adaptive;

/// <summary>A cap that was too large for the target, and what it gave: calls a second, their mean time, the share of them over the target.</summary>
internal sealed record CapTrial(int Limit, double CallsPerSecond, double MeanSeconds, double OverShare)
{
    /// <summary>
    /// Whether this smaller cap was worth it: fewer calls over the target, or at least half of the latency that a pure queue would have given back. Where neither fell, it
    /// still costs nothing as long as throughput stays.
    /// </summary>
    public bool HelpedAfter(CapTrial larger)
    {
        var shrunk = 1 - ((double)Limit / larger.Limit);
        var quicker = MeanSeconds <= larger.MeanSeconds * (1 - (shrunk / 2));
        return OverShare < larger.OverShare * 0.7 || quicker || CallsPerSecond >= larger.CallsPerSecond * 0.97;
    }
}
