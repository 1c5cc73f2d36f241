namespace Larder.Report.Runs;

/// <summary>What was asked of the cache; the fields mean what they mean in <c>conformance/AGENT.md</c>.</summary>
internal sealed record TunedWorkload
{
    /// <summary><c>reference</c>, <c>production</c>, or the workload file's or trace's own name.</summary>
    public required string Name { get; init; }

    /// <summary>Distinct keys.</summary>
    public int? Keys { get; init; }

    /// <summary>Zipf's α; 0 = all keys alike.</summary>
    public double? Zipf { get; init; }

    /// <summary>Part of the calls that are gets.</summary>
    public double? ReadRatio { get; init; }

    /// <summary>Part of the gets that ask for a key that is never set.</summary>
    public double? MissRatio { get; init; }

    /// <summary>Sizes of the values in words: <c>100 B</c>, <c>50 B … 100 kB</c>.</summary>
    public string? Values { get; init; }

    /// <summary>TTL of the sets, in ms.</summary>
    public double? TtlMs { get; init; }

    /// <summary>The trace file that was replayed.</summary>
    public string? Trace { get; init; }
}
