using System.Text.Json.Nodes;
using Larder.Lab.Neighbours;

namespace Larder.Lab.Attackers;

/// <summary>The result of one round with the attack, or with well-behaved clients instead of the attackers.</summary>
/// <param name="Neighbours">The neighbour's calls, in the order of <see cref="AttackTestBed.Transports"/>.</param>
/// <param name="Cpu">The number of processors used by the server and by the attackers or the well-behaved clients.</param>
/// <param name="OthersCpu">The number of processors used by other programs and the host.</param>
/// <param name="Checks">The number of the tenant's checks.</param>
/// <param name="Evicted">The number of the tenant's items that the store evicted to free memory.</param>
/// <param name="Failures">The failed checks, by kind.</param>
/// <param name="FinalResponse">The final response of the attackers. Empty for well-behaved clients.</param>
internal sealed record AttackLaneRound(
    IReadOnlyList<NeighbourRound> Neighbours,
    double? Cpu,
    double? OthersCpu,
    long Checks,
    long Evicted,
    IReadOnlyDictionary<string, long> Failures,
    JsonObject FinalResponse);
