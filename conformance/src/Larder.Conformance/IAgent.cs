using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>One running agent with an open client (conformance/AGENT.md).</summary>
internal interface IAgent : IAsyncDisposable
{
    /// <summary>Sends one request and waits for its answer; many may be under way.</summary>
    Task<JsonObject> AskAsync(JsonObject request);
}
