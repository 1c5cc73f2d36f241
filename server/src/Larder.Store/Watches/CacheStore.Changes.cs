namespace Larder.Store;

/// <summary>Registration of the change watch.</summary>
public sealed partial class CacheStore
{
    private volatile IChangeWatch? _changeWatch;

    internal IChangeWatch? ChangeWatch => _changeWatch;

    /// <summary>
    /// Registers a watch. It is notified of every change that is not visible yet when this method returns; a write that saw no watch is visible to every
    /// later reader. The writer's check has no fence of its own, so this method issues one on all threads.
    /// </summary>
    /// <param name="watch">The watch; null to remove it, although writes in progress may still notify it.</param>
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
