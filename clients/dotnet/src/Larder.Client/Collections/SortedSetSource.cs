namespace Larder.Client;

/// <summary>A sorted set of a union.</summary>
/// <param name="Name">Its key: at least one byte. One that is missing is empty.</param>
/// <param name="Weight">What its scores are multiplied with: a number, or infinite; 1 by default.</param>
public readonly record struct SortedSetSource(CacheBytes Name, float Weight = 1);
