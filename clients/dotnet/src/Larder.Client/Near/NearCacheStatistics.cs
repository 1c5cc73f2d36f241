namespace Larder.Client;

/// <summary>The statistics of a client's near cache since the client was created.</summary>
public sealed class NearCacheStatistics
{
    internal NearCacheStatistics()
    {
    }

    /// <summary>Gets the number of gets served from a copy.</summary>
    public long Hits { get; internal init; }

    /// <summary>Gets the number of values that were cached.</summary>
    public long Kept { get; internal init; }

    /// <summary>Gets the number of copies that were removed because the server reported that their values may have changed.</summary>
    public long Invalidations { get; internal init; }

    /// <summary>Gets the number of times that all copies were removed because the server reported that any value may have changed.</summary>
    public long Clears { get; internal init; }

    /// <summary>
    /// Gets the number of values that were not cached because of an event while the get was in flight: the value may have changed, or another call read or
    /// wrote the key.
    /// </summary>
    public long Poisoned { get; internal init; }

    /// <summary>Gets the number of copies evicted because the memory limit was reached.</summary>
    public long Evictions { get; internal init; }

    /// <summary>Gets the current number of copies.</summary>
    public long Copies { get; internal init; }

    /// <summary>
    /// Gets the memory that the copies currently use, in bytes. Each copy counts as the bytes of its key, the name of its cache and its value, plus 128 bytes.
    /// </summary>
    public long Bytes { get; internal init; }
}
