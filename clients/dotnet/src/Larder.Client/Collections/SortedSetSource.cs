namespace Larder.Client;

/// <summary>A source of a union: a sorted set and the weight of its scores.</summary>
/// <param name="Name">The sorted set's key: at least one byte. A missing sorted set counts as empty.</param>
/// <param name="Weight">The factor by which the scores of this sorted set are multiplied: a number, finite or infinite. The default is 1.</param>
public readonly record struct SortedSetSource(CacheBytes Name, float Weight = 1);
