using System.Text.Json.Nodes;

namespace Larder.Lab.Peers;

/// <summary>Attackers that run until disposed.</summary>
internal interface IAttack : IAsyncDisposable
{
    /// <summary>Returns what they did, for the answer to <c>floodEnd</c>, after they have stopped.</summary>
    JsonObject Figures();
}
