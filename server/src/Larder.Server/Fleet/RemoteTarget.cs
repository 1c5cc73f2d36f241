using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>What a call acts on: <see cref="CallTarget"/> for a cache of the fleet.</summary>
/// <param name="Cache">The cache that the call named.</param>
/// <param name="Rules">The limits that it is held to.</param>
/// <param name="MaxAnswerBytes">As <see cref="CallTarget.MaxAnswerBytes"/>.</param>
internal readonly record struct RemoteTarget(RemoteCache Cache, CallRules Rules, int MaxAnswerBytes = int.MaxValue);
