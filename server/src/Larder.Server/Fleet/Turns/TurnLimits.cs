namespace Larder.Server.Fleet;

/// <summary>The limits of a node's queue. If a limit is exceeded, a command fails with an error that marks it as not executed.</summary>
/// <param name="MaxCallsOfOwner">The maximum number of commands per owner. It is the same as a pipeline's <see cref="FleetLimits.MaxOutstanding"/>.</param>
/// <param name="MaxBytesOfOwner">
/// The maximum number of bytes per owner. A single command may be larger. The limit is enough for two requests of the maximum size, or for the outstanding
/// requests of four pipelines.
/// </param>
/// <param name="MaxCalls">
/// The maximum number of commands of all owners. It is enough for 16 owners at their limit. If it is exceeded, the newest command of the owner with the most
/// commands fails.
/// </param>
/// <param name="MaxBytes">
/// The maximum number of bytes of all owners. It is enough for 8 owners at their limit. If it is exceeded, the newest command of the owner with the most bytes
/// fails.
/// </param>
internal sealed record TurnLimits(
    int MaxCallsOfOwner = FleetLimits.MaxOutstanding,
    long MaxBytesOfOwner = 4 * FleetLimits.MaxOutstandingBytes,
    int MaxCalls = 16 * FleetLimits.MaxOutstanding,
    long MaxBytes = 32 * FleetLimits.MaxOutstandingBytes);
