using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>
/// The options, measurements and results of one run of <c>larder tune</c>. They are stored in the JSON file of the run, and the report is generated from them.
/// Immutable. Names of durations end in <c>Us</c> or <c>Seconds</c>. CPU usage is in processors (CPU-seconds per second). Unknown values are null.
/// </summary>
internal sealed record TuneRun
{
    /// <summary>The version of the file format that this program writes.</summary>
    public const int CurrentVersion = 2;

    /// <summary>
    /// The oldest version of the file format that can be read. A run of this version has no proved rate. Its measurements at shares of the knee's throughput
    /// are ignored.
    /// </summary>
    public const int OldestVersion = 1;

    /// <summary>Gets the version of the file format. Readers reject unknown versions.</summary>
    public int Version { get; init; } = CurrentVersion;

    public required string Command { get; init; }

    /// <summary>Gets the machine, the commit and the date.</summary>
    public required Fingerprint Machine { get; init; }

    /// <summary>Gets the duration of the whole run, in s.</summary>
    public double TookSeconds { get; init; }

    /// <summary>Gets whether the run was interrupted. The run then contains the measurements until the interruption.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Interrupted { get; init; }

    public required TunedClient Client { get; init; }

    public required TuneTarget Target { get; init; }

    public required TunedWorkload Workload { get; init; }

    /// <summary>Gets the closed-loop search, in ascending order of channels, then of callers.</summary>
    public IReadOnlyList<SearchRung> Search { get; init; } = [];

    /// <summary>
    /// Gets the knee of the closed loop, which is the smallest concurrency with nearly the best throughput. Null if no rung is within the target.
    /// </summary>
    public ChosenKnee? Knee { get; init; }

    /// <summary>Gets the result: the highest scheduled rate that meets the target. Null if no rate was proved.</summary>
    public ProvedRate? Proved { get; init; }

    /// <summary>Gets the steps of the rate search in the open loop, in order. Steps that are shared with the search for another target are first.</summary>
    public IReadOnlyList<RateStep> Rates { get; init; } = [];

    /// <summary>Gets the stalls of the idle machine at the start; null if they were not measured.</summary>
    public MachineStalls? Floor { get; init; }

    /// <summary>Gets the latencies over the time of the run, in chronological order. They are the data of the heat map. Empty if the agent sent none.</summary>
    public IReadOnlyList<TimeSlice> Timeline { get; init; } = [];

    /// <summary>Gets the comparison of numbers of channels. Empty if it was not requested.</summary>
    public IReadOnlyList<ChannelRow> Channels { get; init; } = [];

    /// <summary>Gets the comparison of the adaptive limit with fixed limits. Empty if it was not requested.</summary>
    public IReadOnlyList<AdaptiveRow> Adaptive { get; init; } = [];

    /// <summary>Gets the results of other libraries that were measured in the same run, alternately with the client.</summary>
    public IReadOnlyList<PeerSeries> Peers { get; init; } = [];

    /// <summary>Gets the settings that the run recommends. Null if no rate was proved.</summary>
    public Recommendation? Recommendation { get; init; }

    /// <summary>Gets the result as text, for people who read the file. Reports do not use this text, but generate it from the measurements.</summary>
    public string? Answer { get; init; }

    /// <summary>
    /// Gets the recommended settings as code in the language of the client, for people who read the file. Reports do not use this code, but generate it from
    /// the settings. Null if no rate was proved.
    /// </summary>
    public string? ConfigurationToPaste { get; init; }

    /// <summary>Gets the conditions of <c>--assert</c>, and whether they were true.</summary>
    public IReadOnlyList<Assertion> Assertions { get; init; } = [];

    /// <summary>
    /// Gets remarks that readers need in addition to the measurements. Examples are noise, too few samples, and the reason why a step was skipped.
    /// </summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Returns the rung at the knee; null if there is none.</summary>
    public SearchRung? KneeRung() => Knee is { } knee && knee.SearchIndex < Search.Count ? Search[knee.SearchIndex] : null;
}
