namespace Larder.Lab.Near;

/// <summary>What a run's reads are held to.</summary>
internal sealed record NearRules
{
    /// <summary>How long after another version was written an old one may still be read: the server's lease (NEAR-1).</summary>
    public double LeaseMs { get; init; } = 3_000;

    /// <summary>Each key k with k + 1 divisible by this lives <see cref="ShortMs"/>; 0: none does.</summary>
    public int ShortEvery { get; init; } = 16;

    /// <summary>How long its values live.</summary>
    public double ShortMs { get; init; } = 1_500;

    /// <summary>By how much two clocks of whole milliseconds, the server's and the client's, may together be late.</summary>
    public double ClockMs { get; init; } = 2;

    /// <summary>How long a key's values live; null: longer than any run.</summary>
    public double? LivesMs(int key) => ShortEvery > 0 && (key + 1) % ShortEvery == 0 ? ShortMs : null;
}
