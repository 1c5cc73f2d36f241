using System.Text.Json.Nodes;

namespace Larder.Lab.Peers;

/// <summary>A group of attackers that run until the object is disposed.</summary>
internal interface IAttack : IAsyncDisposable
{
    /// <summary>Returns the counts of the attackers for the response to <c>floodEnd</c>. Called after the attackers have stopped.</summary>
    JsonObject Figures();
}
