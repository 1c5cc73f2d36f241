namespace Larder.Lab.Near;

/// <summary>What <c>larder lab near</c> was asked to do.</summary>
internal sealed record NearOptions
{
    /// <summary>Every part, in the order in which they are made.</summary>
    public static IReadOnlyList<string> AllParts { get; } = ["run", "hits", "writes", "zipf", "seen"];

    /// <summary>What a run may be on.</summary>
    public static IReadOnlyList<string> AllServers { get; } = ["memory", "fleet"];

    /// <summary>The parts to make.</summary>
    public IReadOnlyList<string> Parts { get; init; } = AllParts;

    /// <summary>What the randomised run, and the one that says how soon writes are seen, are made on.</summary>
    public IReadOnlyList<string> Servers { get; init; } = AllServers;

    /// <summary>How long a randomised run takes.</summary>
    public TimeSpan RunTime { get; init; } = TimeSpan.FromSeconds(110);

    /// <summary>Reads that all randomised runs together must reach.</summary>
    public long Reads { get; init; } = 10_000_000;

    /// <summary>Turns of what is measured in turns; medians are shown.</summary>
    public int Turns { get; init; } = 5;

    /// <summary>Begins the chances of the randomised runs.</summary>
    public int Seed { get; init; } = 1;
}
