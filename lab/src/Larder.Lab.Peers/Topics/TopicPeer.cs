using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Peers.Topics;

/// <summary>An agent for measuring topics. It supports <c>follow</c>, <c>pump</c> and <c>pace</c> instead of a load.</summary>
internal sealed class TopicPeer(ITopicTarget target, string name, int messageBytes) : PeerClient
{
    private readonly TopicLoad _load = new(target, messageBytes);

    /// <inheritdoc/>
    public override ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public override int? Connections => null;

    /// <summary>Connects to the endpoint of an <c>open</c> request.</summary>
    public static async Task<IAgentClient> OpenAsync(string name, JsonElement request)
    {
        string endpoint = request.Text("endpoint") ?? throw new AgentException("the request has no \"endpoint\"");
        ITopicTarget target = name switch
        {
            "larder" => await LarderTopics.ConnectAsync(endpoint).ConfigureAwait(false),
            "redis" => await RedisTopics.ConnectAsync(endpoint).ConfigureAwait(false),
            "nats" => await NatsTopics.ConnectAsync(endpoint).ConfigureAwait(false),
            _ => throw new AgentException($"unknown topic peer \"{name}\"; use larder, redis or nats"),
        };
        return new TopicPeer(target, name, (int)(request.Number("messageBytes") ?? 100));
    }

    /// <inheritdoc/>
    public override JsonObject Describe() => new() { ["client"] = name };

    /// <inheritdoc/>
    public override Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        double warmup = request.Number("warmupSeconds") ?? 1;
        double seconds = request.Number("seconds") ?? 2;
        return op switch
        {
            "follow" => _load.FollowAsync((int)request.RequireLong("subscribers")),
            "pump" => _load.PumpAsync((int)request.RequireLong("window"), warmup, seconds),
            "pace" => _load.PaceAsync(request.Number("rate") ?? throw new AgentException("the request has no \"rate\""), warmup, seconds),
            _ => base.ExecuteAsync(op, request, cancellation),
        };
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await target.DisposeAsync().ConfigureAwait(false);
        _load.Dispose();
    }
}
