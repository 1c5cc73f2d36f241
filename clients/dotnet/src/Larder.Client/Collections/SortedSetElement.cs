namespace Larder.Client;

/// <summary>An element of a sorted set, as it is stored.</summary>
/// <param name="Value">The element.</param>
/// <param name="Score">Its score: a number, or infinite.</param>
public readonly record struct SortedSetElement(CacheBytes Value, double Score);
