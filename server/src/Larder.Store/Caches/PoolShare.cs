namespace Larder.Store;

/// <summary>What one cache has of a <see cref="SharedPool"/>.</summary>
internal abstract class PoolShare
{
    /// <summary>Its places. For the pool alone, under its lock.</summary>
    public int Places { get; set; }

    /// <summary>Its index among the shares that have a place. For the pool alone, under its lock.</summary>
    public int Index { get; set; }

    /// <summary>Gives up places, the oldest first, for another cache. The pool has taken them over: do not give them back.</summary>
    /// <returns>How many it gave up: at most so many.</returns>
    public abstract int GiveUp(int places);
}
