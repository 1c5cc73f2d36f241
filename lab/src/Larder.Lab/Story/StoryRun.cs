using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>The published tuning experiments as one <c>larder lab story</c> ran them here: what its JSON holds and its page is made from.</summary>
internal sealed record StoryRun
{
    /// <summary>The version of this shape; readers refuse another.</summary>
    public const int CurrentVersion = 1;

    /// <summary>The shape's version.</summary>
    public int Version { get; init; } = CurrentVersion;

    /// <summary>The command as typed.</summary>
    public required string Command { get; init; }

    /// <summary>Machine, commit and date.</summary>
    public required Fingerprint Machine { get; init; }

    /// <summary>How long it took, in s.</summary>
    public double TookSeconds { get; init; }

    /// <summary><c>dotnet python node</c>.</summary>
    public required string Language { get; init; }

    /// <summary>Our client's version; empty where it was never opened.</summary>
    public string ClientVersion { get; init; } = "";

    /// <summary>Its runtime.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Caps that the client's own configurations have, as its agent told them.</summary>
    public IReadOnlyList<ShippedCaps> Shipped { get; init; } = [];

    /// <summary>Our client's transports that were measured; empty in runs that did not record them.</summary>
    public IReadOnlyList<MeasuredTransport> Transports { get; init; } = [];

    /// <summary>The steps, in order; of an interrupted run those that were done.</summary>
    public IReadOnlyList<StoryStep> Steps { get; init; } = [];

    /// <summary>Whether it was interrupted before its end.</summary>
    public bool Interrupted { get; init; }

    /// <summary>The step of this id; null where it was not run.</summary>
    public StoryStep? Step(string id) => Steps.FirstOrDefault(step => step.Id == id);

    /// <summary>The transport of this name, if its code was replaced after it was measured; otherwise null.</summary>
    public MeasuredTransport? Replaced(string transport) => Transports.FirstOrDefault(each => each.Name == transport && each.ReplacedBy is not null);
}

/// <summary>The caps of one of the client's configurations: <c>inRegion.default.v1</c>; null is none.</summary>
internal sealed record ShippedCaps(string Configuration, int? Unary, int? Pipeline);
