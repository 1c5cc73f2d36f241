using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>The failure of a call.</summary>
/// <param name="Code">The status code.</param>
/// <param name="Message">The status message.</param>
/// <param name="Cause">The machine-readable cause; empty if there is none.</param>
internal sealed record CallFailure(StatusCode Code, string Message, string Cause);
