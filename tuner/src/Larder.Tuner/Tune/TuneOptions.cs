using Larder.Harness.Proxies;
using Larder.Report.Runs;
using Larder.Tuner.Tune.Assertions;
using Larder.Tuner.Workloads;

namespace Larder.Tuner.Tune;

/// <summary>What <c>larder tune</c> was asked to do.</summary>
internal sealed record TuneOptions
{
    /// <summary><c>dotnet python node</c>.</summary>
    public required string Client { get; init; }

    /// <summary>The latencies that will do, the strictest first; a run is written for each. At least one.</summary>
    public required IReadOnlyList<TuneTarget> Targets { get; init; }

    /// <summary><c>pipeline unary auto</c>. Default auto.</summary>
    public string Transport { get; init; } = "auto";

    /// <summary>Least numbers of channels to try, ascending; null is the configuration's own. Default only that.</summary>
    public IReadOnlyList<int?> Channels { get; init; } = [null];

    /// <summary>Peers measured alternately. Default none.</summary>
    public IReadOnlyList<string> Peers { get; init; } = [];

    /// <summary>A server that runs already, <c>host:port</c>; null starts one.</summary>
    public string? Server { get; init; }

    /// <summary>Whether that server is spoken to over TLS.</summary>
    public bool UseTls { get; init; }

    /// <summary>Its console, <c>host:port</c>; null where it is not known.</summary>
    public string? Console { get; init; }

    /// <summary>Token to send; null for none.</summary>
    public string? Token { get; init; }

    /// <summary>The configuration to start from. Default laptop, whose deadline (5 s) leaves slow calls to be seen.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>What is asked for. Default the reference workload.</summary>
    public Workload Workload { get; init; } = Workload.Reference;

    /// <summary>A network to put between; null for none.</summary>
    public NetworkDelay? Delay { get; init; }

    /// <summary>Passes over the rungs, 1 to 20; medians decide. Default 3.</summary>
    public int Passes { get; init; } = 3;

    /// <summary>Measured seconds of each round; null shares out the budget.</summary>
    public double? Seconds { get; init; }

    /// <summary>165 s: with starting and ending, within three minutes.</summary>
    public static readonly TimeSpan UsualBudget = TimeSpan.FromSeconds(165);

    // Start, warm-up, a climb with the shortest rounds and two confirmations, measured on two busy processors.
    private static readonly TimeSpan s_leastOfOne = TimeSpan.FromSeconds(40);

    // Two more confirmations of the longest least length.
    private static readonly TimeSpan s_leastOfTarget = TimeSpan.FromSeconds(20);

    // A process more to start and warm up, and its climb.
    private static readonly TimeSpan s_leastOfClient = TimeSpan.FromSeconds(15);

    /// <summary>The shortest budget that this run can keep.</summary>
    public TimeSpan LeastBudget =>
        s_leastOfOne + ((Targets.Count - 1) * s_leastOfTarget) + ((Channels.Count - 1 + Peers.Count) * s_leastOfClient);

    /// <summary>What the whole run may take. Default <see cref="UsualBudget"/>.</summary>
    public TimeSpan Budget { get; init; } = UsualBudget;

    /// <summary>The largest concurrency to try. Default 5,000.</summary>
    public int Most { get; init; } = 5000;

    /// <summary>How long the machine is watched alone before anything runs. Default 1.5 s: 1,500 wakings, of which one or two are above 99.9 %.</summary>
    public double FloorSeconds { get; init; } = 1.5;

    /// <summary>Whether to compare the adaptive cap with the knee.</summary>
    public bool Adaptive { get; init; } = true;

    /// <summary>
    /// Time that an adaptive cap gets to find its place before it is measured. Default 2 s: from 16 to 1,000 it takes eleven steps of 100 ms and more.
    /// </summary>
    public double SettleSeconds { get; init; } = 2;

    /// <summary>Whether to compare 1, 2, 5 and 10 channels afterwards.</summary>
    public bool CompareChannels { get; init; }

    /// <summary>What must hold, or the exit code is 1.</summary>
    public IReadOnlyList<RunAssertion> Assertions { get; init; } = [];

    /// <summary>CPU that others may use during a round before it is repeated, in processors. Default 0.1: a twentieth of a 2-processor machine.</summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>The command as typed.</summary>
    public string Command { get; init; } = "";
}
