using Larder.Harness.Processes;
using Larder.Lab.Neighbours;

namespace Larder.Lab.Attackers;

/// <summary>The options of <c>larder lab attackers</c>.</summary>
internal sealed record AttackersOptions
{
    /// <summary>Gets the measured minutes during attacks. The selected attacks share these minutes.</summary>
    public double Minutes { get; init; } = 10;

    /// <summary>Gets the measured seconds of a round.</summary>
    public double Seconds { get; init; } = 6;

    /// <summary>Gets the neighbour's calls per second on each transport. In a round of 6 s, only six calls are above p99.9.</summary>
    public double RatePerSecond { get; init; } = 1_000;

    /// <summary>Gets the names of the attacks to run; empty for all.</summary>
    public IReadOnlyList<string> Only { get; init; } = [];

    /// <summary>Gets the number of processors that other programs and the host may use during a round. If they use more, the round is repeated.</summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>
    /// Gets the niceness of the attackers and the well-behaved clients. Real attackers and clients would use the processors of other machines.
    /// </summary>
    public int Nice { get; init; } = 19;

    /// <summary>Validates the options.</summary>
    /// <exception cref="FormatException">An option is out of range.</exception>
    public AttackersOptions Validate()
    {
        static void Require(bool holds, string text)
        {
            if (!holds)
            {
                throw new FormatException(text);
            }
        }

        Require(Minutes is > 0 and <= 1_440, "--minutes must be greater than 0 and at most 1,440");
        Require(Seconds is >= 0.5 and <= 600, "--seconds must be 0.5 to 600");
        Require(RatePerSecond is >= 10 and <= 100_000, "--rate must be 10 to 100,000");
        Require(NoiseLimit > 0, "--noise-limit must be greater than 0");
        Require(Nice is >= 0 and <= 19, "--nice must be 0 to 19");
        return this;
    }

    /// <summary>Returns the attacks to run.</summary>
    /// <exception cref="FormatException">The name of an attack is unknown.</exception>
    public IReadOnlyList<AttackInfo> Choose(IReadOnlyList<AttackInfo> all)
    {
        string? unknown = Only.FirstOrDefault(name => !all.Any(attack => attack.Name == name));
        return unknown is null
            ? [.. all.Where(attack => Only.Count == 0 || Only.Contains(attack.Name))]
            : throw new FormatException($"unknown attack \"{unknown}\"; use {string.Join(", ", all.Select(attack => attack.Name))}");
    }

    /// <summary>Returns the number of rounds of each attack. The rounds of all attacks together take the requested number of minutes.</summary>
    public int Rounds(int attacks) => Math.Max(1, (int)Math.Round(Minutes * 60 / (Seconds * Math.Max(1, attacks))));

    /// <summary>Returns the command that runs a program with the niceness of the attackers.</summary>
    public ProgramCommand StandingBack(ProgramCommand program) =>
        new NeighbourOptions { Transports = [], Rounds = 1, Seconds = Seconds, RatePerSecond = RatePerSecond, AttackersNice = Nice }.StandingBack(program);
}
