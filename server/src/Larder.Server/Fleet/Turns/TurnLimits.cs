namespace Larder.Server.Fleet;

/// <summary>The limits of a node's queue. A command that exceeds one fails as not executed.</summary>
/// <param name="MostCallsOfOwner">The maximum number of commands per owner: a pipeline's <see cref="FleetLimits.MaxOutstanding"/>.</param>
/// <param name="MostBytesOfOwner">
/// The maximum bytes per owner; a single command may be larger. Enough for two of the largest requests, or the outstanding requests of four pipelines.
/// </param>
/// <param name="MostCalls">
/// The maximum number of commands of all owners: 16 owners at their limit. Above it, the newest command of the largest owner fails.
/// </param>
/// <param name="MostBytes">The maximum bytes of all owners: 8 owners at their limit. Above it, the newest command of the largest owner fails.</param>
internal sealed record TurnLimits(
    int MostCallsOfOwner = FleetLimits.MaxOutstanding,
    long MostBytesOfOwner = 4 * FleetLimits.MaxOutstandingBytes,
    int MostCalls = 16 * FleetLimits.MaxOutstanding,
    long MostBytes = 32 * FleetLimits.MaxOutstandingBytes);
