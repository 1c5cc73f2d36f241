using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>
/// An agent without a client. <c>guessBegin</c> starts calls with wrong tokens and has the fields <c>from</c>, <c>rate</c> and <c>connections</c>.
/// <c>guessEnd</c> stops the calls and returns their counts.
/// </summary>
internal sealed class GuessNeighbour(IPEndPoint server) : IAgentClient
{
    private const int MaxConnections = 100;
    private const double MaxRate = 100_000;

    private Guesses? _guesses;

    /// <inheritdoc/>
    public ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public int? Connections => null;

    /// <summary>Parses an <c>open</c> request.</summary>
    public static Task<IAgentClient> OpenAsync(JsonElement request) =>
        Task.FromResult<IAgentClient>(
            new GuessNeighbour(IPEndPoint.Parse(request.Text("endpoint") ?? throw new AgentException("the request has no \"endpoint\""))));

    /// <inheritdoc/>
    public JsonObject Describe() => new() { ["client"] = "guesser" };

    /// <inheritdoc/>
    public void AddStats(JsonObject stats)
    {
    }

    /// <inheritdoc/>
    public async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        if (op == "guessBegin" && _guesses is null)
        {
            double rate = Math.Clamp(request.Number("rate") ?? 10_000, 1, MaxRate);
            int connections = (int)Math.Clamp(request.Number("connections") ?? 4, 1, MaxConnections);
            _guesses = new Guesses(server, IPAddress.Parse(request.Text("from") ?? "127.0.0.1"), rate, connections);
            return AgentAnswer.Result("success");
        }

        if (op != "guessEnd" || Interlocked.Exchange(ref _guesses, null) is not { } guesses)
        {
            throw AgentException.Unsupported(op);
        }

        await guesses.DisposeAsync().ConfigureAwait(false);
        return new JsonObject
        {
            ["result"] = "success",
            ["connections"] = guesses.Connections,
            ["sent"] = guesses.Sent,
            ["answered"] = guesses.Answered,
        };
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Interlocked.Exchange(ref _guesses, null)?.DisposeAsync() ?? ValueTask.CompletedTask;
}
