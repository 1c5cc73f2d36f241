using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>The target of a call: like <see cref="CallTarget"/>, for a cache of the fleet.</summary>
/// <param name="Cache">The cache of the call.</param>
/// <param name="Rules">The limits that the call is checked against.</param>
/// <param name="MaxAnswerBytes">As <see cref="CallTarget.MaxAnswerBytes"/>.</param>
internal readonly record struct RemoteTarget(RemoteCache Cache, CallRules Rules, int MaxAnswerBytes = int.MaxValue);
