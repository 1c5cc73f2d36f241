using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>
/// Everything that one <c>larder tune</c> was asked, did and found: what its JSON file holds and its report is drawn from. Immutable. Durations end in
/// <c>Us</c> or <c>Seconds</c>; CPU is in processors (CPU-seconds a second); what nobody could tell is null.
/// </summary>
internal sealed record TuneRun
{
    /// <summary>The version of this shape that this program writes.</summary>
    public const int CurrentVersion = 2;

    /// <summary>The oldest that is still read: its proof at shares of the knee's throughput is left out, and it has no proved rate.</summary>
    public const int OldestVersion = 1;

    /// <summary>The shape's version; readers refuse one that they do not know.</summary>
    public int Version { get; init; } = CurrentVersion;

    /// <summary>The command as typed.</summary>
    public required string Command { get; init; }

    /// <summary>Machine, commit and date.</summary>
    public required Fingerprint Machine { get; init; }

    /// <summary>How long the whole run took, in s.</summary>
    public double TookSeconds { get; init; }

    /// <summary>Whether the run was interrupted: it holds what was measured until then.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Interrupted { get; init; }

    /// <summary>The client that was tuned.</summary>
    public required TunedClient Client { get; init; }

    /// <summary>What latency will do.</summary>
    public required TuneTarget Target { get; init; }

    /// <summary>What was asked of the cache.</summary>
    public required TunedWorkload Workload { get; init; }

    /// <summary>The search, closed loop: by channels, then by callers, ascending.</summary>
    public IReadOnlyList<SearchRung> Search { get; init; } = [];

    /// <summary>The closed loop's knee, which says where the client and the server are at their best together; null where none is within the target.</summary>
    public ChosenKnee? Knee { get; init; }

    /// <summary>The answer: the highest scheduled rate that keeps the target; null where none does.</summary>
    public ProvedRate? Proved { get; init; }

    /// <summary>The rate search, open loop, in the order of its steps; those that it shares with another target's search come first.</summary>
    public IReadOnlyList<RateStep> Rates { get; init; } = [];

    /// <summary>What the machine withheld while nothing else was measured, at the start; null where nobody watched.</summary>
    public MachineStalls? Floor { get; init; }

    /// <summary>Latencies over the run's time, for the heat map; in order of time. Empty where the agent sent none.</summary>
    public IReadOnlyList<TimeSlice> Timeline { get; init; } = [];

    /// <summary>Throughput and latency against channels. Empty where that was not asked for.</summary>
    public IReadOnlyList<ChannelRow> Channels { get; init; } = [];

    /// <summary>The adaptive cap beside fixed ones. Empty where that was not asked for.</summary>
    public IReadOnlyList<AdaptiveRow> Adaptive { get; init; } = [];

    /// <summary>Other libraries measured alternately in the same run.</summary>
    public IReadOnlyList<PeerSeries> Peers { get; init; } = [];

    /// <summary>The settings that the run recommends; null without a proved rate.</summary>
    public Recommendation? Recommendation { get; init; }

    /// <summary>The answer in words, for those who read the file; what is shown is always made anew from the figures.</summary>
    public string? Answer { get; init; }

    /// <summary>
    /// The recommended settings as code of the client's language, for those who read the file; what is shown is always made anew. Null without a proved rate.
    /// </summary>
    public string? ConfigurationToPaste { get; init; }

    /// <summary>What <c>--assert</c> demanded, and whether it held.</summary>
    public IReadOnlyList<Assertion> Assertions { get; init; } = [];

    /// <summary>Sentences that a reader must know beside the figures: noise, too few samples, what was skipped and why.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The rung at the knee.</summary>
    public SearchRung? KneeRung() => Knee is { } knee && knee.SearchIndex < Search.Count ? Search[knee.SearchIndex] : null;
}
