namespace Larder.Lab.Near;

/// <summary>The rules for the reads of a run.</summary>
internal sealed record NearRules
{
    /// <summary>Gets how long after the next version was written an old one may still be read: the server's lease (NEAR-1).</summary>
    public double LeaseMs { get; init; } = 3_000;

    /// <summary>Gets the interval of keys with a short TTL: if k + 1 is divisible by it, key k has the TTL <see cref="ShortMs"/>; 0 for none.</summary>
    public int ShortEvery { get; init; } = 16;

    /// <summary>Gets the short TTL, in ms.</summary>
    public double ShortMs { get; init; } = 1_500;

    /// <summary>Gets the maximum combined delay of the server's and the client's clocks, which count whole milliseconds.</summary>
    public double ClockMs { get; init; } = 2;

    /// <summary>Returns the TTL of a key's values, in ms; null if it is longer than any run.</summary>
    public double? LivesMs(int key) => ShortEvery > 0 && (key + 1) % ShortEvery == 0 ? ShortMs : null;
}
