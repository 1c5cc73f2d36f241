using Larder.Server.Calls;

namespace Larder.Server.Faults;

/// <summary>The fault injected into one call: a delay, followed by an error or by normal execution.</summary>
/// <param name="Delay">The delay; zero if the call is not delayed.</param>
/// <param name="Error">The error; null to execute the call.</param>
internal readonly record struct FaultDecision(TimeSpan Delay, CallError? Error);
