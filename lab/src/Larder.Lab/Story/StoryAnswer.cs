using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>What the tuner answered for a target: the highest rate on a schedule that keeps it, and the configuration that it leads to.</summary>
internal sealed record StoryAnswer
{
    /// <summary><c>unary pipeline</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>The target.</summary>
    public required TuneTarget Target { get; init; }

    /// <summary>The proved rate and its cap; null for no answer.</summary>
    public ProvedRate? Proved { get; init; }

    /// <summary>The answer in a sentence, also where there is none.</summary>
    public required string Sentence { get; init; }

    /// <summary>In flight at the closed loop's knee within the target; null without one.</summary>
    public int? Knee { get; init; }

    /// <summary>Calls a second there.</summary>
    public double? KneeRate { get; init; }

    /// <summary>The settings as code of the client's language; null without an answer.</summary>
    public string? Code { get; init; }

    /// <summary>What was published for this target; null for nothing.</summary>
    public PublishedTarget? Published { get; init; }
}

/// <summary>What was published for a target: calls a second, and the number in flight.</summary>
internal sealed record PublishedTarget(double RequestsPerSecond, int InFlight);
