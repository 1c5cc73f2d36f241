namespace Larder.Server.Fleet;

/// <summary>What a node's queue may hold. Past a bound a command fails, not executed.</summary>
/// <param name="MostCallsOfOwner">Commands of one owner: a pipeline's <see cref="FleetLimits.MaxOutstanding"/>.</param>
/// <param name="MostBytesOfOwner">Their bytes; one command alone may be larger. Two of the largest requests, or four pipelines' outstanding requests.</param>
/// <param name="MostCalls">Commands of all owners: 16 owners at their bound. Past it the owner with the most loses its newest.</param>
/// <param name="MostBytes">Their bytes, likewise: 8 owners at their bound.</param>
internal sealed record TurnLimits(
    int MostCallsOfOwner = FleetLimits.MaxOutstanding,
    long MostBytesOfOwner = 4 * FleetLimits.MaxOutstandingBytes,
    int MostCalls = 16 * FleetLimits.MaxOutstanding,
    long MostBytes = 32 * FleetLimits.MaxOutstandingBytes);
