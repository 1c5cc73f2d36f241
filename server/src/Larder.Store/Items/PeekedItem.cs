namespace Larder.Store;

/// <summary>The properties of an item, as returned by <see cref="Cache.Peek"/>.</summary>
/// <param name="Type">The type of the item.</param>
/// <param name="RemainingMs">The remaining TTL in milliseconds, rounded down.</param>
/// <param name="ValueBytes">The length of a scalar's value in bytes; 0 for other types.</param>
/// <param name="CopiedBytes">The number of bytes of the value that were copied.</param>
public readonly record struct PeekedItem(ItemType Type, long RemainingMs, int ValueBytes, int CopiedBytes);
