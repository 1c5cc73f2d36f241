using System.Text.Json.Nodes;
using Larder.Lab.Neighbours;

namespace Larder.Lab.Attackers;

/// <summary>The result of one lane of one round.</summary>
/// <param name="Neighbours">The neighbour's calls, in the order of <see cref="AttackTestBed.Transports"/>.</param>
/// <param name="Cpu">The processors used by the server together with the attackers or the well-behaved clients.</param>
/// <param name="OthersCpu">The processors used by other programs and the host.</param>
/// <param name="Checks">The number of the tenant's checks.</param>
/// <param name="Evicted">The number of the tenant's items that the store evicted because of memory.</param>
/// <param name="Failures">The failed checks, by kind.</param>
/// <param name="FinalResponse">The final answer of the attackers or the well-behaved clients.</param>
internal sealed record AttackLaneRound(
    IReadOnlyList<NeighbourRound> Neighbours,
    double? Cpu,
    double? OthersCpu,
    long Checks,
    long Evicted,
    IReadOnlyDictionary<string, long> Failures,
    JsonObject FinalResponse);
