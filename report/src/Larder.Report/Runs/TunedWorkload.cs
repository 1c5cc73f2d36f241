namespace Larder.Report.Runs;

/// <summary>The workload. The fields have the same meaning as in <c>conformance/AGENT.md</c>.</summary>
internal sealed record TunedWorkload
{
    /// <summary>Gets the name: <c>reference</c>, <c>production</c>, or the name of the workload file or trace.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the number of distinct keys.</summary>
    public int? Keys { get; init; }

    /// <summary>Gets the parameter α of Zipf's law. 0 means that all keys are equally likely.</summary>
    public double? Zipf { get; init; }

    /// <summary>Gets the share of the calls that are gets.</summary>
    public double? ReadRatio { get; init; }

    /// <summary>Gets the share of the gets that request a key that is never set.</summary>
    public double? MissRatio { get; init; }

    /// <summary>Gets the sizes of the values as text, such as <c>100 B</c> or <c>50 B … 100 kB</c>.</summary>
    public string? Values { get; init; }

    /// <summary>Gets the TTL with which values are set, in ms.</summary>
    public double? TtlMs { get; init; }

    /// <summary>Gets the trace file that was replayed.</summary>
    public string? Trace { get; init; }
}
