namespace Larder.Lab.Near;

/// <summary>The rules that the reads of a run must obey.</summary>
internal sealed record NearRules
{
    /// <summary>Gets the time for which an old version may still be read after the next version was written: the server's lease (NEAR-1).</summary>
    public double LeaseMs { get; init; } = 3_000;

    /// <summary>
    /// Gets n, if every n-th key has the short TTL <see cref="ShortMs"/>: the keys n - 1, 2n - 1 and so on. 0 means that no key has a short TTL.
    /// </summary>
    public int ShortEvery { get; init; } = 16;

    /// <summary>Gets the short TTL, in ms.</summary>
    public double ShortMs { get; init; } = 1_500;

    /// <summary>Gets the maximum difference that the clocks of the server and the client may cause, because both count whole milliseconds.</summary>
    public double ClockMs { get; init; } = 2;

    /// <summary>Returns the TTL of a key's values, in ms. Returns null if the TTL is longer than any run.</summary>
    public double? LivesMs(int key) => ShortEvery > 0 && (key + 1) % ShortEvery == 0 ? ShortMs : null;
}
