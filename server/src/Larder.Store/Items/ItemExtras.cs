namespace Larder.Store;

/// <summary>Optional properties of an item: tags, stale time and validator.</summary>
/// <param name="tags">The hashes of the tags (<see cref="Cache.HashTag"/>): at most <see cref="Cache.MaxTags"/>.</param>
/// <param name="staleMs">The time for which the item may be served stale after it expires, in milliseconds: 0 to the store's maximum TTL.</param>
/// <param name="madeIn">
/// The value of <see cref="Cache.Removals"/> before the item's value was created. If one of the tags is removed later, the item is a miss.
/// </param>
/// <param name="validator">
/// Identifies the version of the value at its source, for example an ETag: at most <see cref="Cache.MaxValidatorBytes"/>; empty if there is none. The item
/// keeps it only if it has a stale time.
/// </param>
public readonly ref struct ItemExtras(ReadOnlySpan<ulong> tags, long staleMs, long madeIn, ReadOnlySpan<byte> validator = default)
{
    /// <summary>Gets the hashes of the tags.</summary>
    public ReadOnlySpan<ulong> Tags { get; } = tags;

    /// <summary>Gets the time for which the item may be served stale after it expires, in milliseconds.</summary>
    public long StaleMs { get; } = staleMs;

    /// <summary>Gets the value of <see cref="Cache.Removals"/> before the item's value was created.</summary>
    public long MadeIn { get; } = madeIn;

    /// <summary>Gets the validator; empty if there is none.</summary>
    public ReadOnlySpan<byte> Validator { get; } = validator;
}
