namespace Larder.Store;

/// <summary>One cache's share of a <see cref="SharedPool"/>.</summary>
internal abstract class PoolShare
{
    /// <summary>The number of places that belong to the share. Used only by the pool, under its lock.</summary>
    public int Places { get; set; }

    /// <summary>The index of this share in the pool's list of non-empty shares. Used only by the pool, under its lock.</summary>
    public int Index { get; set; }

    /// <summary>
    /// Gives up the oldest places of this share for another cache. The pool transfers them to the other share, so the implementation must not return them to
    /// the pool.
    /// </summary>
    /// <returns>The number of places given up: at most <paramref name="places"/>.</returns>
    public abstract int GiveUp(int places);
}
