using System.Text.Json.Nodes;
using Larder.Lab.Neighbours;

namespace Larder.Lab.Attackers;

/// <summary>One lane of one round.</summary>
/// <param name="Neighbours">The neighbour's calls, in the order of <see cref="AttackStand.Transports"/>.</param>
/// <param name="Cpu">Processors of the server, and of the attackers or the well-behaved clients.</param>
/// <param name="OthersCpu">Processors of other programs and the host.</param>
/// <param name="Checks">The tenant's checks.</param>
/// <param name="Evicted">Items of the tenant that the store evicted for memory.</param>
/// <param name="Failures">The checks that failed, by what failed.</param>
/// <param name="Said">What the attackers or the well-behaved clients said at the end.</param>
internal sealed record AttackLaneRound(
    IReadOnlyList<NeighbourRound> Neighbours,
    double? Cpu,
    double? OthersCpu,
    long Checks,
    long Evicted,
    IReadOnlyDictionary<string, long> Failures,
    JsonObject Said);
