namespace Larder.Store;

/// <summary>What may be said of an item beside its value and its TTL.</summary>
/// <param name="tags">What its tags are known by (<see cref="Cache.HashTag"/>), at most <see cref="Cache.MaxTags"/>.</param>
/// <param name="staleMs">Milliseconds past its TTL in which it is still there for who takes what is stale: 0 to the store's longest TTL.</param>
/// <param name="madeIn">The moment (<see cref="Cache.Removals"/>) before which the value was not yet made; tags removed since then make it a miss.</param>
public readonly ref struct ItemExtras(ReadOnlySpan<ulong> tags, long staleMs, long madeIn)
{
    /// <summary>What its tags are known by.</summary>
    public ReadOnlySpan<ulong> Tags { get; } = tags;

    /// <summary>Milliseconds past its TTL in which it is still there for who takes what is stale.</summary>
    public long StaleMs { get; } = staleMs;

    /// <summary>The moment before which the value was not yet made.</summary>
    public long MadeIn { get; } = madeIn;
}
