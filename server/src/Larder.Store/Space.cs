namespace Larder.Store;

/// <summary>
/// One cache between two flushes, known to its entries by a number. A flush gives the cache a new space, so its old entries are gone
/// at once for every lookup, and their memory is reclaimed as the engine meets them; then the number is used again.
/// </summary>
internal sealed class Space(int id, Cache cache)
{
    private long _killedIn = long.MaxValue;

    public int Id { get; } = id;

    public Cache Cache { get; } = cache;

    /// <summary>Whether the cache has moved on to another space, or is deleted.</summary>
    public bool Dead => KilledIn != long.MaxValue;

    /// <summary>The number of the flush or deletion that ended it.</summary>
    public long KilledIn => Volatile.Read(ref _killedIn);

    public void Kill(long flush) => Volatile.Write(ref _killedIn, flush);
}
