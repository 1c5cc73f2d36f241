using System.Text.Json.Nodes;
using Larder.Tuner.Bench;

namespace Larder.Lab.Neighbours;

/// <summary>
/// One lane of one round: the small calls, the processors used, and the neighbour's answer at its end; null if there was no neighbour.
/// </summary>
internal sealed record NeighbourRound(Round Small, double? ClientCpu, double? ServerCpu, double? NeighbourCpu, double? OthersCpu, JsonObject? NeighbourSaid)
{
    /// <summary>Gets the number of times that the lane was repeated because other programs disturbed it.</summary>
    public int Repeats { get; init; }
}
