namespace Larder.Store;

/// <summary>
/// Told, on the writer's thread and before the write returns, of each key that may have changed, and that others can see it. An eviction and an
/// entry that expires are no changes.
/// </summary>
public interface IChangeWatch
{
    /// <summary>A key of this ticket (<see cref="KeyTicket"/>) may have another value or another time to live, or none.</summary>
    void Changed(uint ticket);

    /// <summary>A whole cache was emptied or deleted, or all of it that has some tag.</summary>
    /// <param name="cache">Its id: <see cref="Cache.Id"/>.</param>
    void Cleared(long cache);
}
