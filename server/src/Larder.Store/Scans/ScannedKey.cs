namespace Larder.Store;

/// <summary>A key found by a scan.</summary>
/// <param name="Key">The key.</param>
/// <param name="Type">The type of the item.</param>
/// <param name="RemainingMs">The remaining TTL in milliseconds, rounded down.</param>
/// <param name="Bytes">The size of a scalar's value in bytes; for collections, the size of all elements.</param>
public sealed record ScannedKey(byte[] Key, ItemType Type, long RemainingMs, long Bytes);
