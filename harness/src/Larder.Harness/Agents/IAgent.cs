using System.Text.Json.Nodes;

namespace Larder.Harness.Agents;

/// <summary>A running agent of a client (conformance/AGENT.md).</summary>
public interface IAgent : IAsyncDisposable
{
    /// <summary>Sends a request and returns its answer, which may be an error. Many requests may be in progress at once.</summary>
    Task<JsonObject> AskAsync(JsonObject request, Action<JsonObject>? onProgress = null);
}
