using System.Text.Json.Nodes;
using Larder.Tuner.Bench;

namespace Larder.Lab.Neighbours;

/// <summary>One lane of one round: the small calls, processors used, and what the neighbour said when it had ended; null where there was none.</summary>
internal sealed record NeighbourRound(Round Small, double? ClientCpu, double? ServerCpu, double? NeighbourCpu, double? OthersCpu, JsonObject? NeighbourSaid)
{
    /// <summary>Times that it was run anew because other programs disturbed it.</summary>
    public int Repeats { get; init; }
}
