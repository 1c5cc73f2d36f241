namespace Larder.Lab.Near;

/// <summary>The options of <c>larder lab near</c>.</summary>
internal sealed record NearOptions
{
    /// <summary>Gets the names of all parts of the command, in the order in which they are run.</summary>
    public static IReadOnlyList<string> AllParts { get; } = ["run", "hits", "writes", "zipf", "seen", "scale"];

    /// <summary>Gets the names of all kinds of servers.</summary>
    public static IReadOnlyList<string> AllServers { get; } = ["memory", "fleet"];

    /// <summary>Gets the names of the parts to run.</summary>
    public IReadOnlyList<string> Parts { get; init; } = AllParts;

    /// <summary>Gets the kinds of servers for the randomized run, for the measurement of how soon writes become visible, and for the part scale.</summary>
    public IReadOnlyList<string> Servers { get; init; } = AllServers;

    /// <summary>Gets the duration of a randomized run.</summary>
    public TimeSpan RunTime { get; init; } = TimeSpan.FromSeconds(110);

    /// <summary>Gets the server program that the parts writes and scale measure; null for the server of this checkout.</summary>
    public string? ServerProgram { get; init; }

    /// <summary>Gets the numbers of near streams of the part scale.</summary>
    public IReadOnlyList<int> Streams { get; init; } = NearScaleBench.Streams;

    /// <summary>Gets the minimum number of reads in all randomized runs together.</summary>
    public long Reads { get; init; } = 10_000_000;

    /// <summary>Gets the number of measurements (turns) of each alternative. The medians are shown.</summary>
    public int Turns { get; init; } = 5;

    /// <summary>Gets the initial seed of the randomized runs.</summary>
    public int Seed { get; init; } = 1;
}
