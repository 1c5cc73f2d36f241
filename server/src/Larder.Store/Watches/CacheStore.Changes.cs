namespace Larder.Store;

/// <summary>Who is told of changes.</summary>
public sealed partial class CacheStore
{
    private volatile IChangeWatch? _changeWatch;

    internal IChangeWatch? ChangeWatch => _changeWatch;

    /// <summary>
    /// Has a watch told of every change that is not visible yet when this returns: a write that met none before is visible to whoever reads afterwards. The
    /// writer's test has no fence; this one is every thread's.
    /// </summary>
    /// <param name="watch">Whom to tell; null: nobody any more, though a write under way may still.</param>
    public void Watch(IChangeWatch? watch)
    {
        _changeWatch = watch;
        Interlocked.MemoryBarrierProcessWide();
    }

    internal void TellCleared(Cache cache)
    {
        Interlocked.MemoryBarrier();
        _changeWatch?.Cleared(cache.Id);
    }
}
