using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Lab.Peers.Frames;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>
/// An agent without a client. <c>floodBegin</c> starts a flood and has the fields <c>kind</c> and <c>attackers</c>. For random frames it also has <c>seed</c>,
/// <c>rate</c> (connections per second) and optionally <c>endpoint</c> for a different server. <c>floodEnd</c> stops the flood and returns its counts.
/// </summary>
internal sealed class FloodNeighbour(IPEndPoint server) : IAgentClient
{
    /// <summary>The maximum number of attackers. It is limited so that the attack does not exhaust the machine's ports.</summary>
    private const int MaxAttackers = 100;

    private const double MaxRate = 100_000;

    private IAttack? _flood;

    /// <inheritdoc/>
    public ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public int? Connections => null;

    /// <summary>Parses an <c>open</c> request.</summary>
    public static Task<IAgentClient> OpenAsync(JsonElement request) =>
        Task.FromResult<IAgentClient>(
            new FloodNeighbour(IPEndPoint.Parse(request.Text("endpoint") ?? throw new AgentException("the request has no \"endpoint\""))));

    /// <inheritdoc/>
    public JsonObject Describe() => new() { ["client"] = "flooder" };

    /// <inheritdoc/>
    public void AddStats(JsonObject stats)
    {
    }

    /// <inheritdoc/>
    public async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        if (op == "floodBegin" && _flood is null)
        {
            string kind = request.Text("kind") ?? "";
            int attackers = (int)Math.Clamp(request.Number("attackers") ?? 1, 1, MaxAttackers);
            double rate = Math.Clamp(request.Number("rate") ?? 1_000, 1, MaxRate);
            IPEndPoint target = request.Text("endpoint") is { } other ? IPEndPoint.Parse(other) : server;
            _flood = request.Long("seed") is { } seed ? new FrameAttack(target, kind, attackers, (int)seed, rate) : new Flood(target, kind, attackers);
            return AgentAnswer.Result("success");
        }

        if (op != "floodEnd" || Interlocked.Exchange(ref _flood, null) is not { } flood)
        {
            throw AgentException.Unsupported(op);
        }

        await flood.DisposeAsync().ConfigureAwait(false);
        JsonObject figures = flood.Figures();
        figures["result"] = "success";
        return figures;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Interlocked.Exchange(ref _flood, null)?.DisposeAsync() ?? ValueTask.CompletedTask;
}
