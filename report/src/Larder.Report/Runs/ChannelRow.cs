namespace Larder.Report.Runs;

/// <summary>A number of channels measured at one concurrency.</summary>
internal sealed record ChannelRow
{
    /// <summary>Least number of channels.</summary>
    public required int Channels { get; init; }

    /// <summary>Concurrent callers.</summary>
    public required int Callers { get; init; }

    /// <summary>Where: <c>at the knee</c>, <c>5,000 callers</c>. Rows with the same name and variant are one line of the graph.</summary>
    public required string Where { get; init; }

    /// <summary>What else was varied, such as <c>uvloop on</c>; empty for nothing.</summary>
    public string Variant { get; init; } = "";

    /// <summary>The figures of each pass.</summary>
    public required IReadOnlyList<Measurement> Repetitions { get; init; }
}
