using System.Text.Json.Nodes;
using Larder.Tuner.Bench;

namespace Larder.Lab.Neighbours;

/// <summary>
/// The result of one round of one lane: the small calls, the processors used, and the neighbour's response at the end. The response is null if there was no
/// neighbour.
/// </summary>
internal sealed record NeighbourRound(Round Small, double? ClientCpu, double? ServerCpu, double? NeighbourCpu, double? OthersCpu, JsonObject? NeighbourSaid)
{
    /// <summary>Gets the number of times that the round was repeated because other programs had disturbed it.</summary>
    public int Repeats { get; init; }
}
