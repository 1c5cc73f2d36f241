namespace Larder.Report.Runs;

/// <summary>
/// The settings that a run recommends. They apply to any language. <see cref="TunedClient.Language"/> is the language of the code in the report.
/// </summary>
internal sealed record Recommendation
{
    /// <summary>Gets the base configuration: <c>laptop</c>, <c>inRegion.default</c>, <c>inRegion.lowLatency</c> or <c>lambda</c>.</summary>
    public required string Base { get; init; }

    /// <summary>Gets the transport: <c>auto</c>, <c>unary</c> or <c>pipeline</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>Gets the maximum number of requests in flight.</summary>
    public required int MaxInFlight { get; init; }

    /// <summary>Gets the number of channels for unary calls; null for the default of the configuration.</summary>
    public int? Channels { get; init; }

    /// <summary>Gets the deadline in ms; null for the default of the configuration.</summary>
    public double? RequestTimeoutMs { get; init; }
}
