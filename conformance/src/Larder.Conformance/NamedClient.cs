using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;

namespace Larder.Conformance;

/// <summary>
/// One of several clients of an agent. Starting an agent takes much more processor time than opening a client, so the cases of a run share one agent.
/// </summary>
internal sealed class NamedClient : IAgent
{
    private readonly AgentProcess _agent;
    private readonly string _name;

    private NamedClient(AgentProcess agent, string name) => (_agent, _name) = (agent, name);

    /// <summary>Opens a client whose name no other client of the agent has.</summary>
    /// <exception cref="HarnessException">The client could not be opened.</exception>
    public static async Task<NamedClient> OpenAsync(AgentProcess agent, string name, JsonObject open)
    {
        NamedClient client = new(agent, name);
        open["op"] = "open";
        await client.RequireAsync(open).ConfigureAwait(false);
        return client;
    }

    /// <inheritdoc/>
    public Task<JsonObject> AskAsync(JsonObject request, Action<JsonObject>? onProgress = null) => _agent.AskAsync(Named(request), onProgress);

    /// <summary>Sends a request like <see cref="AskAsync"/>, but throws if the answer is an error.</summary>
    /// <exception cref="HarnessException">The answer is an error, or there is no answer.</exception>
    public Task<JsonObject> RequireAsync(JsonObject request) => _agent.RequireAsync(Named(request));

    /// <summary>Closes the client. The agent may have ended.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await AskAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
        }
        catch (HarnessException)
        {
            // The agent has ended, and the client with it. The failed calls have been reported.
        }
    }

    private JsonObject Named(JsonObject request)
    {
        request["named"] = _name;
        return request;
    }
}
