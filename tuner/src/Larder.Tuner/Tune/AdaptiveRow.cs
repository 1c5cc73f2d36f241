namespace Larder.Tuner.Tune;

/// <summary>A cap, adaptive or fixed, measured under one scenario.</summary>
internal sealed record AdaptiveRow
{
    /// <summary>What happens: <c>steady</c>, <c>server 8 times slower for 15 s</c>.</summary>
    public required string Scenario { get; init; }

    /// <summary>The cap in words: <c>adaptive, p99.9 &lt; 5 ms</c>, <c>fixed 200</c>.</summary>
    public required string Cap { get; init; }

    /// <summary>What was measured.</summary>
    public required Measurement Measured { get; init; }

    /// <summary>Lowest, mean and highest value of the cap while it was measured; null for a fixed one.</summary>
    public CapRange? Range { get; init; }

    /// <summary>Whether it said that the target cannot be reached.</summary>
    public bool SaidUnreachable { get; init; }
}

/// <summary>Values of a cap over a measured time.</summary>
internal sealed record CapRange(double Lowest, double Mean, double Highest);
