namespace Larder.Store;

/// <summary>
/// Where items that are not scalars are kept: the entry of such an item has a handle for its value, which only this knows to read. An entry is
/// moved, expires, and is evicted, flushed and replaced like any other.
/// </summary>
internal interface IItemMemory
{
    /// <summary>The item of this handle has left the store, whatever made it leave. Called with the shard locked, once a handle.</summary>
    void Release(ItemType type, ReadOnlySpan<byte> handle);
}
