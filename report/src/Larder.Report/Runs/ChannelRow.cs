namespace Larder.Report.Runs;

/// <summary>A number of channels measured at one concurrency.</summary>
internal sealed record ChannelRow
{
    /// <summary>Gets the minimum number of channels.</summary>
    public required int Channels { get; init; }

    /// <summary>Gets the number of concurrent callers.</summary>
    public required int Callers { get; init; }

    /// <summary>
    /// Gets the concurrency as text: <c>at the knee</c>, <c>5,000 callers</c>. Rows with the same text and variant form one line of the graph.
    /// </summary>
    public required string Where { get; init; }

    /// <summary>Gets what else was varied, such as <c>uvloop on</c>; empty for nothing.</summary>
    public string Variant { get; init; } = "";

    /// <summary>Gets the measurement of each pass.</summary>
    public required IReadOnlyList<Measurement> Repetitions { get; init; }
}
