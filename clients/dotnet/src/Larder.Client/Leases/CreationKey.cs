namespace Larder.Client.Leases;

/// <summary>Identifies a load in progress.</summary>
/// <param name="Cache">The cache's name.</param>
/// <param name="Key">The item's key.</param>
/// <param name="Codec">The type of the codec, or null for plain bytes.</param>
internal readonly record struct CreationKey(string Cache, CacheBytes Key, Type? Codec);
