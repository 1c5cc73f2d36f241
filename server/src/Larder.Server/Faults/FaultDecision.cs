using Larder.Server.Calls;

namespace Larder.Server.Faults;

/// <summary>The injected fault for one call: a delay, then an error or normal execution.</summary>
/// <param name="Delay">The delay; zero for none.</param>
/// <param name="Error">The error; null to execute the call.</param>
internal readonly record struct FaultDecision(TimeSpan Delay, CallError? Error);
