namespace Larder.Server.Fleet;

/// <summary>The limits of a node's queue. A command that exceeds one fails as not executed.</summary>
/// <param name="MaxCallsOfOwner">The maximum number of commands per owner: a pipeline's <see cref="FleetLimits.MaxOutstanding"/>.</param>
/// <param name="MaxBytesOfOwner">
/// The maximum bytes per owner; a single command may be larger. Enough for two of the largest requests, or the outstanding requests of four pipelines.
/// </param>
/// <param name="MaxCalls">
/// The maximum number of commands of all owners: 16 owners at their limit. Above it, the newest command of the largest owner fails.
/// </param>
/// <param name="MaxBytes">The maximum bytes of all owners: 8 owners at their limit. Above it, the newest command of the largest owner fails.</param>
internal sealed record TurnLimits(
    int MaxCallsOfOwner = FleetLimits.MaxOutstanding,
    long MaxBytesOfOwner = 4 * FleetLimits.MaxOutstandingBytes,
    int MaxCalls = 16 * FleetLimits.MaxOutstanding,
    long MaxBytes = 32 * FleetLimits.MaxOutstandingBytes);
