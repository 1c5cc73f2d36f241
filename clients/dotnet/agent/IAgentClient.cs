using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Agent;

/// <summary>A client that the agent uses to make calls. An <c>open</c> request creates it, and a <c>close</c> request disposes it.</summary>
internal interface IAgentClient : IAsyncDisposable
{
    /// <summary>Gets the target of a load.</summary>
    ILoadTarget Target { get; }

    /// <summary>Returns the target of a load that consists of the given calls.</summary>
    /// <exception cref="AgentException">The client does not support a load of these calls.</exception>
    ILoadTarget TargetOf(LoadCalls calls) => calls == LoadCalls.Items ? Target : throw AgentException.Unsupported($"loads of type '{calls}'");

    /// <summary>Gets the number of open connections, or null if the client does not report it.</summary>
    int? Connections { get; }

    /// <summary>Returns the fields of the response to <c>open</c>, except <c>result</c> and <c>pid</c>.</summary>
    JsonObject Describe();

    /// <summary>
    /// Adds the fields <c>inFlight</c>, <c>inFlightLimit</c> and <c>queued</c> to <paramref name="stats"/>. A value that the client does not report is null.
    /// </summary>
    void AddStats(JsonObject stats);

    /// <summary>Executes one operation and returns its response without the id.</summary>
    Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation);
}
