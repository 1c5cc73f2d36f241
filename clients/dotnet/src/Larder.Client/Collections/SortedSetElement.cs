namespace Larder.Client;

/// <summary>An element of a sorted set, in a request.</summary>
/// <param name="Value">The element.</param>
/// <param name="Score">The element's score: a number, finite or infinite.</param>
public readonly record struct SortedSetElement(CacheBytes Value, double Score);
