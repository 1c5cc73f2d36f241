using Larder.Server.Calls;

namespace Larder.Server.Faults;

/// <summary>What is done to one call: it is held back, then it fails or goes on.</summary>
/// <param name="Delay">How long it is held back; zero: not at all.</param>
/// <param name="Error">What it fails with; null: it goes on.</param>
internal readonly record struct FaultDecision(TimeSpan Delay, CallError? Error);
