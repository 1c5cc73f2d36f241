using System.Text.Json.Nodes;
using Larder.Harness.Agents;

namespace Larder.Conformance;

/// <summary>A case's subscriptions: under names of its own, as cases share an agent, and left with it.</summary>
internal sealed class CaseSubscriptions(Case vector)
{
    private readonly HashSet<string> _open = [];

    /// <summary>Gives the names in a request the case's own before them, and keeps those that it opens.</summary>
    public void Scope(JsonObject request)
    {
        string op = request["op"]!.GetValue<string>();
        string field = op == "subscribe" ? "as" : "subscription";
        if (op is not ("subscribe" or "next" or "unsubscribe") || request[field] is not JsonValue given || !given.TryGetValue(out string? name))
        {
            return;
        }

        string own = $"{vector.File}: {vector.Name}: {name}";
        request[field] = own;
        if (op == "subscribe")
        {
            _open.Add(own);
        }
    }

    /// <summary>Leaves all, those too that have ended or never began.</summary>
    public async Task LeaveAsync(IAgent agent)
    {
        foreach (string name in _open)
        {
            await agent.AskAsync(new JsonObject { ["op"] = "unsubscribe", ["subscription"] = name }).ConfigureAwait(false);
        }
    }
}
