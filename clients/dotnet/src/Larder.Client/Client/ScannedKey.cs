namespace Larder.Client;

/// <summary>A key that a scan returned, with details of its item.</summary>
/// <param name="Key">The key.</param>
/// <param name="Type">The item's type.</param>
/// <param name="RemainingTtl">The item's remaining time to live.</param>
/// <param name="SizeBytes">The size in bytes. For a scalar this is the size of the value, for a collection the size of all its contents.</param>
public sealed record ScannedKey(ReadOnlyMemory<byte> Key, CacheItemType Type, TimeSpan RemainingTtl, long SizeBytes);
