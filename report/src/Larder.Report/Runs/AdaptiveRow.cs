namespace Larder.Report.Runs;

/// <summary>A cap, adaptive or fixed, measured under one scenario.</summary>
internal sealed record AdaptiveRow
{
    /// <summary>What happens: <c>50 callers, closed loop</c>, <c>70 % of the knee, on a schedule</c>.</summary>
    public required string Scenario { get; init; }

    /// <summary>The cap in words: <c>adaptive, p99.9 &lt; 5 ms</c>, <c>fixed 200</c>.</summary>
    public required string Cap { get; init; }

    /// <summary>
    /// What was measured; in the closed loop latency is from a call's permit to its end, where the client tells it: that is what the cap is to hold.
    /// </summary>
    public required Measurement Measured { get; init; }

    /// <summary>Lowest, mean and highest value of the cap while it was measured; null for a fixed one.</summary>
    public CapRange? Range { get; init; }

    /// <summary>Whether it said that the target cannot be reached.</summary>
    public bool SaidUnreachable { get; init; }
}

/// <summary>Values of a cap over a measured time.</summary>
internal sealed record CapRange(double Lowest, double Mean, double Highest);
