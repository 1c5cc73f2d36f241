using System.Text.Json.Nodes;
using Larder.Harness.Agents;

namespace Larder.Conformance;

/// <summary>
/// The subscriptions of one case. Their names contain the name of the case, because several cases share an agent. The case unsubscribes at its end.
/// </summary>
internal sealed class CaseSubscriptions(Case vector)
{
    private readonly HashSet<string> _open = [];

    /// <summary>
    /// Prefixes the subscription name in a request with the name of the case. If the request opens a subscription, records that subscription.
    /// </summary>
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

    /// <summary>Unsubscribes from every recorded subscription, even if it has already ended or has never started.</summary>
    public async Task LeaveAsync(IAgent agent)
    {
        foreach (string name in _open)
        {
            await agent.AskAsync(new JsonObject { ["op"] = "unsubscribe", ["subscription"] = name }).ConfigureAwait(false);
        }
    }
}
