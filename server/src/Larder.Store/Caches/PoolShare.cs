namespace Larder.Store;

/// <summary>One cache's share of a <see cref="SharedPool"/>.</summary>
internal abstract class PoolShare
{
    /// <summary>Number of places that the share holds. Used only by the pool, under its lock.</summary>
    public int Places { get; set; }

    /// <summary>Index of this share in the pool's list of non-empty shares. Used only by the pool, under its lock.</summary>
    public int Index { get; set; }

    /// <summary>Gives up its oldest places for another cache. The pool transfers them itself; do not return them to the pool.</summary>
    /// <returns>The number of places given up: at most <paramref name="places"/>.</returns>
    public abstract int GiveUp(int places);
}
