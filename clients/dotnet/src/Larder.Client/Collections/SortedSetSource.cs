namespace Larder.Client;

/// <summary>A sorted set that is part of a union.</summary>
/// <param name="Name">The sorted set's key: at least one byte. A missing sorted set counts as empty.</param>
/// <param name="Weight">The factor for its scores: a number, finite or infinite. The default is 1.</param>
public readonly record struct SortedSetSource(CacheBytes Name, float Weight = 1);
