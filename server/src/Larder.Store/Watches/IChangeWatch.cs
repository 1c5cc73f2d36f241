namespace Larder.Store;

/// <summary>
/// Notified on the writer's thread, before the write returns, when a key may have changed and the change is visible to others. Evictions and expired entries
/// are not changes.
/// </summary>
public interface IChangeWatch
{
    /// <summary>A key with this ticket (<see cref="KeyTicket"/>) may have been written, deleted, or given another TTL.</summary>
    void Changed(uint ticket);

    /// <summary>All items of a cache, or all with some tag, were removed.</summary>
    /// <param name="cache">The cache's <see cref="Cache.Id"/>.</param>
    void Cleared(long cache);
}
