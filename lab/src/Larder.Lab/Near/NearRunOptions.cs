using Larder.Tuner.Processes;

namespace Larder.Lab.Near;

/// <summary>The options of a randomized run.</summary>
internal sealed record NearRunOptions
{
    /// <summary>Gets the languages. For each language, one process writes and reads, and another one only reads.</summary>
    public IReadOnlyList<string> Languages { get; init; } = Agents.Clients;

    /// <summary>Gets the time for which the callers make calls.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(100);

    /// <summary>Gets the time without faults at the end of the run. In its second half, copies must be served again.</summary>
    public TimeSpan After { get; init; } = TimeSpan.FromSeconds(10);

    public int Keys { get; init; } = 100_000;

    /// <summary>Gets the exponent of Zipf's law. The callers choose keys according to this law.</summary>
    public double Zipf { get; init; } = 1;

    /// <summary>Gets the number of concurrent callers of each process.</summary>
    public int Callers { get; init; } = 16;

    /// <summary>
    /// Gets the number of callers of each process that read only from near copies. While the network is cut, the other callers soon wait for responses that do
    /// not arrive.
    /// </summary>
    public int Peekers { get; init; } = 2;

    /// <summary>Gets the share of a writing process's calls that are writes.</summary>
    public double WriteShare { get; init; } = 0.05;

    /// <summary>Gets the near cache size of a read-only process, in bytes. It is small, so that copies are also evicted.</summary>
    public long ReaderBytes { get; init; } = 8 << 20;

    /// <summary>Gets the mean time between two connection resets by the proxies.</summary>
    public TimeSpan BetweenResets { get; init; } = TimeSpan.FromSeconds(3);

    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(1);

    public int Seed { get; init; } = 1;

    public IReadOnlyList<NearFault> Faults { get; init; } = [];

    public NearRules Rules { get; init; } = new();
}
