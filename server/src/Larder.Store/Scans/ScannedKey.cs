namespace Larder.Store;

/// <summary>A key that a scan has met.</summary>
/// <param name="Key">The key.</param>
/// <param name="Type">What the item holds.</param>
/// <param name="RemainingMs">Whole milliseconds that it has left, floored.</param>
/// <param name="Bytes">Bytes of a scalar's value; of another item those of all that it holds.</param>
public sealed record ScannedKey(byte[] Key, ItemType Type, long RemainingMs, long Bytes);
