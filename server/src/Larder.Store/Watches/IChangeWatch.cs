namespace Larder.Store;

/// <summary>
/// Receives notifications when a key may have changed. The methods are called on the writer's thread, before the write returns. At that time, the change is
/// visible to other threads. Evictions and expiries are not reported.
/// </summary>
public interface IChangeWatch
{
    /// <summary>Called when a key with this ticket (<see cref="KeyTicket"/>) may have been written, deleted, or given another TTL.</summary>
    void Changed(uint ticket);

    /// <summary>Called when all items of a cache, or all items with a tag, were removed.</summary>
    /// <param name="cache">The cache's <see cref="Cache.Id"/>.</param>
    void Cleared(long cache);
}
