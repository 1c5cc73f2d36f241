namespace Larder.Report.Runs;

/// <summary>Settings that a run recommends, for any language; <see cref="TunedClient.Language"/> says in whose code the report writes them.</summary>
internal sealed record Recommendation
{
    /// <summary>The configuration to start from: <c>laptop inRegion.default inRegion.lowLatency lambda</c>.</summary>
    public required string Base { get; init; }

    /// <summary>The transport: <c>auto unary pipeline</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>Requests in flight at once.</summary>
    public required int MaxInFlight { get; init; }

    /// <summary>Channels for unary calls; null leaves them to the configuration.</summary>
    public int? Channels { get; init; }

    /// <summary>The deadline, in ms; null leaves it to the configuration.</summary>
    public double? RequestTimeoutMs { get; init; }
}
