using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>The result of one <c>larder lab story</c>, which is stored in its JSON file. The page is generated from it.</summary>
internal sealed record StoryRun
{
    /// <summary>The version of the file format. Readers reject other versions.</summary>
    public const int CurrentVersion = 1;

    /// <summary>Gets the version of the file format.</summary>
    public int Version { get; init; } = CurrentVersion;

    public required string Command { get; init; }

    /// <summary>Gets the machine, the commit and the date.</summary>
    public required Fingerprint Machine { get; init; }

    /// <summary>Gets the duration, in s.</summary>
    public double TookSeconds { get; init; }

    /// <summary>Gets the language: <c>dotnet</c>, <c>python</c> or <c>node</c>.</summary>
    public required string Language { get; init; }

    /// <summary>Gets the version of the Larder client; empty if no client was opened.</summary>
    public string ClientVersion { get; init; } = "";

    /// <summary>Gets the runtime of the Larder client.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Gets the concurrency limits of the configurations that the client ships, as reported by its agent.</summary>
    public IReadOnlyList<ShippedCaps> Shipped { get; init; } = [];

    /// <summary>Gets the measured transports of the Larder client. Empty in runs that did not record them.</summary>
    public IReadOnlyList<MeasuredTransport> Transports { get; init; } = [];

    /// <summary>Gets the steps, in order. If the run was interrupted, only the completed steps are present.</summary>
    public IReadOnlyList<StoryStep> Steps { get; init; } = [];

    /// <summary>Gets the maximum number of callers. Null in runs that did not record it; they used the default.</summary>
    public int? Most { get; init; }

    /// <summary>Gets whether the run was interrupted.</summary>
    public bool Interrupted { get; init; }

    /// <summary>Returns the step with the given id; null if the step was not run.</summary>
    public StoryStep? Step(string id) => Steps.FirstOrDefault(step => step.Id == id);

    /// <summary>Returns the transport with this name if its code was replaced after the measurement; otherwise null.</summary>
    public MeasuredTransport? Replaced(string transport) => Transports.FirstOrDefault(each => each.Name == transport && each.ReplacedBy is not null);
}

/// <summary>The concurrency limits of one of the client's configurations, such as <c>inRegion.default.v1</c>. Null means no limit.</summary>
internal sealed record ShippedCaps(string Configuration, int? Unary, int? Pipeline);
