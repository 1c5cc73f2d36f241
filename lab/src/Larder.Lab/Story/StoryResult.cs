using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>The tuner's result for a target: the highest scheduled rate that meets the target, and the recommended configuration.</summary>
internal sealed record StoryResult
{
    /// <summary>Gets the transport: <c>unary</c> or <c>pipeline</c>.</summary>
    public required string Transport { get; init; }

    public required TuneTarget Target { get; init; }

    /// <summary>Gets the proved rate and its concurrency limit; null if no rate was proved.</summary>
    public ProvedRate? Proved { get; init; }

    /// <summary>Gets the tuner's sentence with the result, or with the reason why there is no result.</summary>
    public required string Sentence { get; init; }

    /// <summary>Gets the number of requests in flight at the knee of the closed loop. Null if no number of requests in flight met the target.</summary>
    public int? Knee { get; init; }

    /// <summary>Gets the requests per second at the knee.</summary>
    public double? KneeRate { get; init; }

    /// <summary>Gets the settings as code in the client's language; null if no rate was proved.</summary>
    public string? Code { get; init; }

    /// <summary>Gets the published result for this target; null if there is none.</summary>
    public PublishedTarget? Published { get; init; }
}

/// <summary>The published result for a target: requests per second, and requests in flight.</summary>
internal sealed record PublishedTarget(double RequestsPerSecond, int InFlight);
