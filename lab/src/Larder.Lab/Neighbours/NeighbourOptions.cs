using System.Globalization;
using Larder.Harness.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>The options of <c>larder lab neighbour</c>.</summary>
internal sealed record NeighbourOptions
{
    // Disables spinning of waiting threads in .NET's thread pool. Spinning threads would use CPU time that the attackers' process should leave to other
    // processes (ADR-0102).
    private static readonly KeyValuePair<string, string?> s_noSpinning = new("DOTNET_ThreadPool_UnfairSemaphoreSpinLimit", "0");

    /// <summary>Gets the transports of the client to measure, one after another.</summary>
    public required IReadOnlyList<string> Transports { get; init; }

    /// <summary>Gets the number of rounds. The medians of the rounds are compared.</summary>
    public required int Rounds { get; init; }

    /// <summary>Gets the measured time of each lane in a round, in seconds.</summary>
    public required double Seconds { get; init; }

    /// <summary>Gets the calls per second of the measured client. It uses an open loop, so that a higher latency does not reduce the load.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Gets the number of processors that other programs and the host may use during a round. If they use more, the round is repeated.</summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>Gets the number of concurrent attackers, each with one connection.</summary>
    public int Attackers { get; init; } = 4;

    /// <summary>Gets the seed of the attackers' random frames. Each round adds its number to the seed.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Gets the connections per second with random frames, of all attackers together.</summary>
    public double ConnectionsPerSecond { get; init; } = 1_000;

    /// <summary>Gets the calls per second with wrong tokens, of all attackers together.</summary>
    public double GuessesPerSecond { get; init; } = 10_000;

    /// <summary>Gets the connections per second with full TLS handshakes.</summary>
    public double HandshakesPerSecond { get; init; } = 1_000;

    /// <summary>
    /// Gets the niceness of the attackers' process (0 to 19). Real attackers use the CPU of their own machines, but these attackers share the CPU with the
    /// server.
    /// </summary>
    public int AttackersNice { get; init; } = 19;

    /// <summary>Gets whether the attackers' process has idle priority instead of <see cref="AttackersNice"/>.</summary>
    public bool AttackersIdle { get; init; }

    /// <summary>Gets the priority of the attackers' process as text.</summary>
    public string Standing => AttackersIdle ? "idle" : string.Create(CultureInfo.InvariantCulture, $"nice {AttackersNice}");

    /// <summary>Returns the command that runs an attackers' program with the configured priority.</summary>
    public ProgramCommand StandingBack(ProgramCommand attackers)
    {
        string[] before = AttackersIdle ? ["chrt", "--idle", "0"]
            : AttackersNice == 0 ? []
            : ["nice", "-n", AttackersNice.ToString(CultureInfo.InvariantCulture)];
        return before.Length == 0
            ? attackers
            : attackers with
            {
                Program = before[0],
                Arguments = [.. before[1..], attackers.Program, .. attackers.Arguments],
                Environment = AttackersIdle ? new Dictionary<string, string?>([.. attackers.Environment, s_noSpinning]) : attackers.Environment,
            };
    }
}
