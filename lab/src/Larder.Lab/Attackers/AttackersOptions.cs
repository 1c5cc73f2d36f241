using Larder.Harness.Processes;
using Larder.Lab.Neighbours;

namespace Larder.Lab.Attackers;

/// <summary>The options of <c>larder lab attackers</c>.</summary>
internal sealed record AttackersOptions
{
    /// <summary>Gets the measured minutes next to attacks, shared by the chosen attacks.</summary>
    public double Minutes { get; init; } = 10;

    /// <summary>Gets the measured seconds of a lane.</summary>
    public double Seconds { get; init; } = 6;

    /// <summary>Gets the neighbour's calls per second on each transport. With 6 s, p99.9 is based on six calls of a lane.</summary>
    public double RatePerSecond { get; init; } = 1_000;

    /// <summary>Gets the chosen attacks; empty for all.</summary>
    public IReadOnlyList<string> Only { get; init; } = [];

    /// <summary>Gets the number of processors that other programs and the host may use before a lane is repeated.</summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>Gets the niceness of the attackers and the well-behaved clients, because real ones would use other machines' processors.</summary>
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

    /// <summary>Returns the number of rounds of each attack, so that the lanes next to attacks take the requested minutes in total.</summary>
    public int Rounds(int attacks) => Math.Max(1, (int)Math.Round(Minutes * 60 / (Seconds * Math.Max(1, attacks))));

    /// <summary>Returns the command of a program with the niceness of attackers.</summary>
    public ProgramCommand StandingBack(ProgramCommand program) =>
        new NeighbourOptions { Transports = [], Rounds = 1, Seconds = Seconds, RatePerSecond = RatePerSecond, AttackersNice = Nice }.StandingBack(program);
}
