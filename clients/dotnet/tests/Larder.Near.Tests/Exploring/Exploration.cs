namespace Larder.Near.Tests.Exploring;

/// <summary>The result of an exploration.</summary>
/// <param name="States">The number of distinct states visited.</param>
/// <param name="IsComplete">Whether every reachable state was visited and no violation was found.</param>
/// <param name="Violation">The violation at the end of the path, or null if there is none.</param>
/// <param name="Way">The moves of a shortest path to the violation, in order. The list is empty if there is no violation.</param>
internal sealed record Exploration(int States, bool IsComplete, string? Violation, IReadOnlyList<string> Way);
