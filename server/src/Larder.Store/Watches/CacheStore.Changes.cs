namespace Larder.Store;

/// <summary>Registers the change watch.</summary>
public sealed partial class CacheStore
{
    private volatile IChangeWatch? _changeWatch;

    internal IChangeWatch? ChangeWatch => _changeWatch;

    /// <summary>
    /// Registers a watch. The watch is notified of every change that is not yet visible when this method returns. Changes of writers that did not see the watch
    /// are visible to every later reader. When a writer checks for a watch, it issues no memory fence. Therefore, this method issues a fence on all threads.
    /// </summary>
    /// <param name="watch">The watch, or null to remove the current one. Writes that are in progress may still notify a removed watch.</param>
    public void Watch(IChangeWatch? watch)
    {
        _changeWatch = watch;
        Interlocked.MemoryBarrierProcessWide();
    }

    internal void NotifyCleared(Cache cache)
    {
        Interlocked.MemoryBarrier();
        _changeWatch?.Cleared(cache.Id);
    }
}
