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

    /// <summary>Gets the number of copies dropped because the server reported that they may have changed.</summary>
    public long Invalidations { get; internal init; }

    /// <summary>Gets how often the server reported that everything may have changed.</summary>
    public long Clears { get; internal init; }

    /// <summary>
    /// Gets the number of values not cached because their key may have changed, or was read or written by another call, while the get was in flight.
    /// </summary>
    public long Poisoned { get; internal init; }

    /// <summary>Gets the number of copies evicted because the memory limit was reached.</summary>
    public long Evictions { get; internal init; }

    /// <summary>Gets the current number of copies.</summary>
    public long Copies { get; internal init; }

    /// <summary>Gets the current memory of the copies, in bytes. A copy counts its key, its cache's name, its value and 128 bytes.</summary>
    public long Bytes { get; internal init; }
}
