namespace Larder.Store;

/// <summary>
/// One cache between two flushes, known to its entries by a number. A flush gives the cache a new space, so its old entries are gone
/// at once for every lookup, and their memory is reclaimed as the engine meets them; then the number is used again.
/// </summary>
internal sealed class Space(int id, Cache cache)
{
    private long _killedIn = long.MaxValue;
    private long _chargedBytes;

    public int Id { get; } = id;

    public Cache Cache { get; } = cache;

    /// <summary>Whether the cache has moved on to another space, or is deleted.</summary>
    public bool Dead => KilledIn != long.MaxValue;

    /// <summary>The number of the flush or deletion that ended it.</summary>
    public long KilledIn => Volatile.Read(ref _killedIn);

    /// <summary>What its entries take, where its cache has a quota.</summary>
    public long ChargedBytes => Volatile.Read(ref _chargedBytes);

    /// <summary>Whether that is more than the quota.</summary>
    public bool IsOverQuota => Cache.MaxBytes != 0 && ChargedBytes > Cache.MaxBytes;

    /// <summary>Notes bytes of entries, with their headers, that came or went; only where the cache has a quota.</summary>
    public void Charge(long bytes)
    {
        if (Cache.MaxBytes != 0)
        {
            Interlocked.Add(ref _chargedBytes, bytes);
        }
    }

    public void Kill(long flush) => Volatile.Write(ref _killedIn, flush);
}
