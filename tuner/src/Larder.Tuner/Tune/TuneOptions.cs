using Larder.Harness.Proxies;
using Larder.Report.Runs;
using Larder.Tuner.Tune.Assertions;
using Larder.Tuner.Workloads;

namespace Larder.Tuner.Tune;

/// <summary>The options of <c>larder tune</c>.</summary>
internal sealed record TuneOptions
{
    /// <summary>Gets the client to tune: <c>dotnet</c>, <c>python</c> or <c>node</c>.</summary>
    public required string Client { get; init; }

    /// <summary>Gets the latency targets, the strictest first. There is at least one. One run file is written for each target.</summary>
    public required IReadOnlyList<TuneTarget> Targets { get; init; }

    /// <summary>Gets the transport: <c>pipeline</c>, <c>unary</c> or <c>auto</c>. The default is auto.</summary>
    public string Transport { get; init; } = "auto";

    /// <summary>
    /// Gets the minimum numbers of channels to try, in ascending order. Null stands for the default of the configuration. By default, only null is tried.
    /// </summary>
    public IReadOnlyList<int?> Channels { get; init; } = [null];

    /// <summary>Gets the peers to compare with. Empty by default.</summary>
    public IReadOnlyList<string> Peers { get; init; } = [];

    /// <summary>Gets the <c>host:port</c> of a running server, or null to start one.</summary>
    public string? Server { get; init; }

    /// <summary>Gets whether to use TLS with the server at <see cref="Server"/>.</summary>
    public bool UseTls { get; init; }

    /// <summary>Gets the <c>host:port</c> of the console of that server, or null if unknown.</summary>
    public string? Console { get; init; }

    /// <summary>Gets the token to send, or null.</summary>
    public string? Token { get; init; }

    /// <summary>Gets the initial configuration. The default is laptop, whose deadline of 5 s is long enough to show slow calls.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>Gets the workload. The default is the reference workload.</summary>
    public Workload Workload { get; init; } = Workload.Reference;

    /// <summary>Gets the simulated network between client and server, or null.</summary>
    public NetworkDelay? Delay { get; init; }

    /// <summary>Gets the number of passes over the rungs, 1 to 20. The medians are used. The default is 3.</summary>
    public int Passes { get; init; } = 3;

    /// <summary>Gets the measured seconds of each round, or null to derive them from the budget.</summary>
    public double? Seconds { get; init; }

    /// <summary>The default budget of 165 s. Together with startup and shutdown, the run takes less than three minutes.</summary>
    public static readonly TimeSpan UsualBudget = TimeSpan.FromSeconds(165);

    // The time for startup, warm-up, a climb with the shortest rounds, and two confirmations, measured on two busy processors.
    private static readonly TimeSpan s_leastOfOne = TimeSpan.FromSeconds(40);

    // The time for each further target, which needs two more confirmations of the maximum required length.
    private static readonly TimeSpan s_leastOfTarget = TimeSpan.FromSeconds(20);

    // The time for each further client, which includes the start and the warm-up of another process, and the climb of the client.
    private static readonly TimeSpan s_leastOfClient = TimeSpan.FromSeconds(15);

    /// <summary>Gets the minimum budget for these options.</summary>
    public TimeSpan MinBudget =>
        s_leastOfOne + ((Targets.Count - 1) * s_leastOfTarget) + ((Channels.Count - 1 + Peers.Count) * s_leastOfClient);

    /// <summary>Gets the maximum duration of the whole run. The default is <see cref="UsualBudget"/>.</summary>
    public TimeSpan Budget { get; init; } = UsualBudget;

    /// <summary>Gets the maximum concurrency to try. The default is 5,000.</summary>
    public int Most { get; init; } = 5000;

    /// <summary>
    /// Gets the time in seconds for which the idle machine is observed before anything is measured. The default is 1.5 s. This gives 1,500 wake-ups, of which
    /// one or two are above p99.9.
    /// </summary>
    public double FloorSeconds { get; init; } = 1.5;

    /// <summary>Gets whether to compare the adaptive limit with the knee. The default is true.</summary>
    public bool Adaptive { get; init; } = true;

    /// <summary>
    /// Gets the time in seconds for an adaptive limit to settle before it is measured. The default is 2 s, because the limit needs eleven steps of at least 100
    /// ms to grow from 16 to 1,000.
    /// </summary>
    public double SettleSeconds { get; init; } = 2;

    /// <summary>Gets whether to compare 1, 2, 5 and 10 channels after the tuning. The default is false.</summary>
    public bool CompareChannels { get; init; }

    /// <summary>Gets the assertions. If one of them is false, the exit code is 1.</summary>
    public IReadOnlyList<RunAssertion> Assertions { get; init; } = [];

    /// <summary>
    /// Gets the noise limit: the maximum CPU usage of other programs, in processors. A round is repeated if they use more. The default is 0.1, which is 5 % of
    /// a machine with 2 processors.
    /// </summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>Gets the command line as typed.</summary>
    public string Command { get; init; } = "";
}
