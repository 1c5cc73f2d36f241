using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>The target of a call to a cache of the fleet. It corresponds to <see cref="CallTarget"/> for a local cache.</summary>
/// <param name="Cache">The cache that the call accesses.</param>
/// <param name="Rules">The limits that the call is checked against.</param>
/// <param name="MaxAnswerBytes">The same as <see cref="CallTarget.MaxAnswerBytes"/>.</param>
internal readonly record struct RemoteTarget(RemoteCache Cache, CallRules Rules, int MaxAnswerBytes = int.MaxValue);
