using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>
/// The options, measurements and results of one <c>larder tune</c>: the contents of its JSON file and the source of its report. Immutable. Durations end in
/// <c>Us</c> or <c>Seconds</c>; CPU is in processors (CPU-seconds per second); unknown figures are null.
/// </summary>
internal sealed record TuneRun
{
    /// <summary>The version of the file format that this program writes.</summary>
    public const int CurrentVersion = 2;

    /// <summary>
    /// The oldest version that can be read. Its proof at shares of the knee's throughput is ignored, and it has no proved rate.
    /// </summary>
    public const int OldestVersion = 1;

    /// <summary>Gets the version of the file format; readers reject unknown versions.</summary>
    public int Version { get; init; } = CurrentVersion;

    public required string Command { get; init; }

    /// <summary>Gets the machine, the commit and the date.</summary>
    public required Fingerprint Machine { get; init; }

    /// <summary>Gets the duration of the whole run, in s.</summary>
    public double TookSeconds { get; init; }

    /// <summary>Gets whether the run was interrupted; it then contains what was measured until the interruption.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Interrupted { get; init; }

    public required TunedClient Client { get; init; }

    public required TuneTarget Target { get; init; }

    public required TunedWorkload Workload { get; init; }

    /// <summary>Gets the closed-loop search, in ascending order of channels, then of callers.</summary>
    public IReadOnlyList<SearchRung> Search { get; init; } = [];

    /// <summary>Gets the knee of the closed loop, where client and server together perform best; null if no rung is within the target.</summary>
    public ChosenKnee? Knee { get; init; }

    /// <summary>Gets the answer: the highest scheduled rate that meets the target; null if there is none.</summary>
    public ProvedRate? Proved { get; init; }

    /// <summary>Gets the open-loop rate search, in the order of its steps. Steps shared with the search for another target come first.</summary>
    public IReadOnlyList<RateStep> Rates { get; init; } = [];

    /// <summary>Gets the stalls of the idle machine at the start; null if they were not measured.</summary>
    public MachineStalls? Floor { get; init; }

    /// <summary>Gets the latencies over the time of the run, in chronological order, for the heat map; empty if the agent sent none.</summary>
    public IReadOnlyList<TimeSlice> Timeline { get; init; } = [];

    /// <summary>Gets throughput and latency by number of channels; empty if not requested.</summary>
    public IReadOnlyList<ChannelRow> Channels { get; init; } = [];

    /// <summary>Gets the comparison of the adaptive cap with fixed caps; empty if not requested.</summary>
    public IReadOnlyList<AdaptiveRow> Adaptive { get; init; } = [];

    /// <summary>Gets other libraries that were measured alternately in the same run.</summary>
    public IReadOnlyList<PeerSeries> Peers { get; init; } = [];

    /// <summary>Gets the settings that the run recommends; null without a proved rate.</summary>
    public Recommendation? Recommendation { get; init; }

    /// <summary>Gets the answer as text, for readers of the file; reports always recompute it from the figures.</summary>
    public string? Answer { get; init; }

    /// <summary>
    /// Gets the recommended settings as code in the client's language, for readers of the file; reports always recompute it. Null without a proved rate.
    /// </summary>
    public string? ConfigurationToPaste { get; init; }

    /// <summary>Gets the conditions of <c>--assert</c>, and whether they held.</summary>
    public IReadOnlyList<Assertion> Assertions { get; init; } = [];

    /// <summary>Gets remarks that readers need in addition to the figures: noise, too few samples, what was skipped and why.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Returns the rung at the knee; null if there is none.</summary>
    public SearchRung? KneeRung() => Knee is { } knee && knee.SearchIndex < Search.Count ? Search[knee.SearchIndex] : null;
}
