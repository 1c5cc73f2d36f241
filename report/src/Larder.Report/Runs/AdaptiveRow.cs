namespace Larder.Report.Runs;

/// <summary>A cap, adaptive or fixed, measured in one scenario.</summary>
internal sealed record AdaptiveRow
{
    /// <summary>Gets the scenario: <c>50 callers, closed loop</c>, <c>70 % of the knee, on a schedule</c>.</summary>
    public required string Scenario { get; init; }

    /// <summary>Gets the cap as text: <c>adaptive, p99.9 &lt; 5 ms</c>, <c>fixed 200</c>.</summary>
    public required string Cap { get; init; }

    /// <summary>
    /// Gets the measurement. In the closed loop, the latency is from a call's permit to its end if the client reports that, because the cap controls that
    /// latency.
    /// </summary>
    public required Measurement Measured { get; init; }

    /// <summary>Gets the range of the cap during the measurement; null for a fixed cap.</summary>
    public CapRange? Range { get; init; }

    /// <summary>Gets whether the cap reported that the target is out of reach.</summary>
    public bool SaidUnreachable { get; init; }
}

/// <summary>The lowest, mean and highest value of a cap over a measurement.</summary>
internal sealed record CapRange(double Lowest, double Mean, double Highest);
