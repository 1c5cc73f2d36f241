namespace Larder.Lab.Near;

/// <summary>The rules that the reads of a run must obey.</summary>
internal sealed record NearRules
{
    /// <summary>Gets the time for which an old version may still be read after the next version was written: the server's lease (NEAR-1).</summary>
    public double LeaseMs { get; init; } = 3_000;

    /// <summary>
    /// Gets the distance between successive keys with the short TTL <see cref="ShortMs"/>. If it is n, the keys n - 1, 2n - 1 and so on have the short TTL. If
    /// it is 0, no key has a short TTL.
    /// </summary>
    public int ShortEvery { get; init; } = 16;

    /// <summary>Gets the short TTL, in ms.</summary>
    public double ShortMs { get; init; } = 1_500;

    /// <summary>
    /// Gets the time for which a value may still be read after its TTL. It is needed because the clocks of the server and the client count whole milliseconds.
    /// </summary>
    public double ClockMs { get; init; } = 2;

    /// <summary>Returns the TTL of a key's values, in ms. Returns null if the TTL is longer than any run.</summary>
    public double? LivesMs(int key) => ShortEvery > 0 && (key + 1) % ShortEvery == 0 ? ShortMs : null;
}
