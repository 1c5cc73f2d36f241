namespace Larder.Client;

/// <summary>A key that a scan has met, and what is under it.</summary>
/// <param name="Key">The key.</param>
/// <param name="Type">What the item holds.</param>
/// <param name="RemainingTtl">What the item has left to live.</param>
/// <param name="SizeBytes">Bytes of a scalar's value; of another item those of all that it holds.</param>
public sealed record ScannedKey(ReadOnlyMemory<byte> Key, CacheItemType Type, TimeSpan RemainingTtl, long SizeBytes);
