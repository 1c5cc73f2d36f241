namespace Larder.Report.Runs;

/// <summary>A concurrency limit, adaptive or fixed, measured in one scenario.</summary>
internal sealed record AdaptiveRow
{
    /// <summary>Gets the scenario, such as <c>50 callers, closed loop</c> or <c>70 % of the knee, on a schedule</c>.</summary>
    public required string Scenario { get; init; }

    /// <summary>Gets the limit as text, such as <c>adaptive, p99.9 &lt; 5 ms</c> or <c>fixed 200</c>.</summary>
    public required string Cap { get; init; }

    /// <summary>
    /// Gets the measurement. In the closed loop, the latency of a call is measured from the time at which the concurrency limit lets the call start, because
    /// the limit controls this latency. If the client does not report this time, the latency also includes the wait before it.
    /// </summary>
    public required Measurement Measured { get; init; }

    /// <summary>Gets the range of the limit during the measurement. Null for a fixed limit.</summary>
    public CapRange? Range { get; init; }

    /// <summary>Gets whether the adaptive limit reported that the target is out of reach.</summary>
    public bool SaidUnreachable { get; init; }
}

/// <summary>The lowest, mean and highest value of an adaptive limit during a measurement.</summary>
internal sealed record CapRange(double Lowest, double Mean, double Highest);
