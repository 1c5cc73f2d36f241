namespace Larder.Store;

/// <summary>Deleted caches whose entries are not all reclaimed yet, and the counts of those that are gone, so that totals never run backwards.</summary>
internal sealed class DeletedCaches
{
    private readonly List<Cache> _leaving = [];

    public IReadOnlyList<Cache> Leaving => _leaving;

    public CacheCounts Gone { get; private set; }

    public void Add(Cache cache) => _leaving.Add(cache);

    /// <summary>The cache's last entry was reclaimed.</summary>
    public void Leave(Cache cache, CacheCounts counts)
    {
        _leaving.Remove(cache);
        Gone += counts;
    }
}
