using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>How a call failed.</summary>
/// <param name="Code">Its status.</param>
/// <param name="Message">What it said.</param>
/// <param name="Cause">Its cause; empty: none.</param>
internal sealed record CallFailure(StatusCode Code, string Message, string Cause);
