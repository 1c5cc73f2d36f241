namespace Larder.Store;

/// <summary>
/// The contents of a cache between two flushes. Entries refer to their space by number. A flush gives the cache a new space, so the old entries are immediately
/// invisible to lookups. Their memory is reclaimed later. Then the number of the old space is reused.
/// </summary>
internal sealed class Space(int id, Cache cache)
{
    private long _deletedEpoch = long.MaxValue;
    private long _chargedBytes;

    public int Id { get; } = id;

    public Cache Cache { get; } = cache;

    /// <summary>Whether the space was flushed or its cache was deleted.</summary>
    public bool Dead => DeletedEpoch != long.MaxValue;

    /// <summary>The sequence number of the flush or deletion that ended the space.</summary>
    public long DeletedEpoch => Volatile.Read(ref _deletedEpoch);

    /// <summary>The number of bytes charged for the entries of this space. They are counted only if the cache has a quota.</summary>
    public long ChargedBytes => Volatile.Read(ref _chargedBytes);

    /// <summary>Whether the space is over its cache's quota.</summary>
    public bool IsOverQuota => Cache.MaxBytes != 0 && ChargedBytes > Cache.MaxBytes;

    /// <summary>Adds or subtracts the size of entries with their headers. Does nothing if the cache has no quota.</summary>
    public void Charge(long bytes)
    {
        if (Cache.MaxBytes != 0)
        {
            Interlocked.Add(ref _chargedBytes, bytes);
        }
    }

    public void Kill(long flush) => Volatile.Write(ref _deletedEpoch, flush);
}
