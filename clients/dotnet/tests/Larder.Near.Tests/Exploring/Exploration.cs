namespace Larder.Near.Tests.Exploring;

/// <summary>What an exploration found.</summary>
/// <param name="States">States met, each counted once.</param>
/// <param name="IsComplete">Whether there was no state left to look at, and no violation.</param>
/// <param name="Violation">What the shortest way leads to, where one leads to a violation.</param>
/// <param name="Way">Its moves, in order.</param>
internal sealed record Exploration(int States, bool IsComplete, string? Violation, IReadOnlyList<string> Way);
