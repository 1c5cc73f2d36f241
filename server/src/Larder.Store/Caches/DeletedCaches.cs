namespace Larder.Store;

/// <summary>
/// Deleted caches that still have entries to reclaim, and the summed counts of the deleted caches without entries, so that totals never decrease.
/// </summary>
internal sealed class DeletedCaches
{
    private readonly List<Cache> _leaving = [];

    public IReadOnlyList<Cache> Leaving => _leaving;

    public CacheCounts Gone { get; private set; }

    public void Add(Cache cache) => _leaving.Add(cache);

    /// <summary>Removes a cache. Called when the last entry of the cache has been reclaimed.</summary>
    public void Leave(Cache cache, CacheCounts counts)
    {
        _leaving.Remove(cache);
        Gone += counts;
    }
}
