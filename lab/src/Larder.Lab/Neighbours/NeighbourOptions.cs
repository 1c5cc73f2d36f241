using System.Globalization;
using Larder.Harness.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>What <c>larder lab neighbour</c> was asked to do.</summary>
internal sealed record NeighbourOptions
{
    // A worker of .NET's pool that waits would take the processor that it is said to leave (ADR-0102).
    private static readonly KeyValuePair<string, string?> s_noSpinning = new("DOTNET_ThreadPool_UnfairSemaphoreSpinLimit", "0");

    /// <summary>Transports of the measured client, one after another.</summary>
    public required IReadOnlyList<string> Transports { get; init; }

    /// <summary>Rounds; medians of them are compared.</summary>
    public required int Rounds { get; init; }

    /// <summary>Measured seconds of each lane of a round.</summary>
    public required double Seconds { get; init; }

    /// <summary>Arrivals of the measured client a second, in the open loop: what a lane does to latency must not lower the load.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Processors that other programs, and the host, may take before a round is run anew.</summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>Attackers at once, each with one connection.</summary>
    public int Attackers { get; init; } = 4;

    /// <summary>What the attackers' frames are drawn from, where they are; each round adds its number.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Connections a second on which drawn frames are said, of all attackers together.</summary>
    public double ConnectionsPerSecond { get; init; } = 1_000;

    /// <summary>Calls with wrong tokens a second, of all attackers together.</summary>
    public double GuessesPerSecond { get; init; } = 10_000;

    /// <summary>Connections with whole TLS handshakes a second.</summary>
    public double HandshakesPerSecond { get; init; } = 1_000;

    /// <summary>
    /// How far the attackers' process stands back for processors (<c>nice</c>, 0 to 19): an attacker brings its own, but here shares the server's.
    /// </summary>
    public int AttackersNice { get; init; } = 19;

    /// <summary>Whether the attackers' process runs only where a processor is free, in place of <see cref="AttackersNice"/>.</summary>
    public bool AttackersIdle { get; init; }

    /// <summary>How it stands back, in words.</summary>
    public string Standing => AttackersIdle ? "idle" : string.Create(CultureInfo.InvariantCulture, $"nice {AttackersNice}");

    /// <summary>An attackers' program that stands back so.</summary>
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
