namespace Larder.Report.Runs;

/// <summary>The measurements with one number of channels and one number of callers.</summary>
internal sealed record ChannelRow
{
    /// <summary>Gets the minimum number of channels.</summary>
    public required int Channels { get; init; }

    /// <summary>Gets the number of concurrent callers.</summary>
    public required int Callers { get; init; }

    /// <summary>
    /// Gets the concurrency as text, such as <c>at the knee</c> or <c>5,000 callers</c>. Rows with the same text and variant form one line of the graph.
    /// </summary>
    public required string Where { get; init; }

    /// <summary>Gets another setting that was varied, such as <c>uvloop on</c>; empty if there is none.</summary>
    public string Variant { get; init; } = "";

    /// <summary>Gets the measurement of each pass.</summary>
    public required IReadOnlyList<Measurement> Repetitions { get; init; }
}
