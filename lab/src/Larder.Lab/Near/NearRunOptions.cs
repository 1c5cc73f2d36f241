using Larder.Tuner.Processes;

namespace Larder.Lab.Near;

/// <summary>What a randomised run is.</summary>
internal sealed record NearRunOptions
{
    /// <summary>The languages; of each a process that writes and reads, and one that only reads.</summary>
    public IReadOnlyList<string> Languages { get; init; } = Agents.Clients;

    /// <summary>How long the callers call.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(100);

    /// <summary>How long before the end everything is to work again: copies are served in the last half of it.</summary>
    public TimeSpan After { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Number of keys.</summary>
    public int Keys { get; init; } = 100_000;

    /// <summary>The exponent of Zipf's law by which keys are chosen.</summary>
    public double Zipf { get; init; } = 1;

    /// <summary>Concurrent callers of each process.</summary>
    public int Callers { get; init; } = 16;

    /// <summary>Callers of each that only try copies: where the network is cut, the others soon wait for answers that do not come.</summary>
    public int Peekers { get; init; } = 2;

    /// <summary>Part of a writing process's calls that write.</summary>
    public double WriteShare { get; init; } = 0.05;

    /// <summary>Bytes of the copies that a process that only reads may keep: few, so that they are evicted as well.</summary>
    public long ReaderBytes { get; init; } = 8 << 20;

    /// <summary>Mean time between two resets of a connection.</summary>
    public TimeSpan BetweenResets { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>The deadline of a call.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Begins the chances.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>What is done meanwhile.</summary>
    public IReadOnlyList<NearFault> Faults { get; init; } = [];

    /// <summary>What reads are held to.</summary>
    public NearRules Rules { get; init; } = new();
}
