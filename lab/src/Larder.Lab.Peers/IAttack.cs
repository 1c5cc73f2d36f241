using System.Text.Json.Nodes;

namespace Larder.Lab.Peers;

/// <summary>Attackers at work, until it is disposed of.</summary>
internal interface IAttack : IAsyncDisposable
{
    /// <summary>What they did, for the answer to <c>floodEnd</c>; once they have ended.</summary>
    JsonObject Figures();
}
