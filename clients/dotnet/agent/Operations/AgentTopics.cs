using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The open subscriptions of an agent, by the names that the driver chose.</summary>
internal sealed class AgentTopics(CacheClient client, string defaultCache) : IAsyncDisposable
{
    private const double PatienceMs = 5_000;

    private readonly ConcurrentDictionary<string, AgentSubscription> _subscriptions = new();

    /// <summary>Executes one operation. Returns null if this class does not implement the operation.</summary>
    /// <exception cref="AgentException">A field is missing, a name is already used, or a name is unknown.</exception>
    public async Task<JsonObject?> TryExecuteAsync(string op, JsonElement line, CancellationToken stop) => op switch
    {
        "subscribe" => await SubscribeAsync(line, stop).ConfigureAwait(false),
        "next" => await Named(line).NextAsync(
            (int)line.RequireLong("count"),
            TimeSpan.FromMilliseconds(line.Number("timeoutMs") ?? PatienceMs)).ConfigureAwait(false),
        "unsubscribe" => await UnsubscribeAsync(line).ConfigureAwait(false),
        _ => null,
    };

    public async ValueTask DisposeAsync()
    {
        foreach (AgentSubscription subscription in _subscriptions.Values)
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
        }

        _subscriptions.Clear();
    }

    public static string TopicOf(JsonElement line) => line.Text("topic") ?? throw new AgentException("topic is missing");

    private async Task<JsonObject> SubscribeAsync(JsonElement line, CancellationToken stop)
    {
        string name = line.Text("as") ?? throw new AgentException("\"as\", the name of the subscription, is missing");
        bool tellsHeartbeats = line.Flag("heartbeats", false);
        SubscribeOptions options = new()
        {
            ResumeAt = Unsigned(line, "resumeAt"),
            Page = Unsigned(line, "page"),
            From = line.Choice("from", TopicStart.Newest),
            // The first heartbeat shows that the server has registered the subscription.
            Heartbeats = true,
        };
        TopicSubscription followed = client.Cache(line.Text("cache") ?? defaultCache).Subscribe(TopicOf(line), options);
        AgentSubscription subscription = new(followed, tellsHeartbeats);
        if (!_subscriptions.TryAdd(name, subscription))
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
            throw new AgentException($"subscription \"{name}\" already exists");
        }

        if (await subscription.BeginAsync(stop).ConfigureAwait(false) is not { } failure)
        {
            return AgentAnswer.Result("success");
        }

        _subscriptions.TryRemove(name, out _);
        await subscription.DisposeAsync().ConfigureAwait(false);
        return failure;
    }

    private async Task<JsonObject> UnsubscribeAsync(JsonElement line)
    {
        AgentSubscription subscription = Named(line);
        _subscriptions.TryRemove(new(line.Text("subscription")!, subscription));
        await subscription.DisposeAsync().ConfigureAwait(false);
        return AgentAnswer.Result("success");
    }

    private AgentSubscription Named(JsonElement line) =>
        line.Text("subscription") is not { } name ? throw new AgentException("subscription is missing")
        : _subscriptions.TryGetValue(name, out AgentSubscription? subscription) ? subscription
        : throw new AgentException($"unknown subscription \"{name}\"");

    private static ulong Unsigned(JsonElement line, string field) =>
        !line.TryGetProperty(field, out JsonElement value) ? 0
        : value.ValueKind == JsonValueKind.Number && value.TryGetUInt64(out ulong number) ? number
        : value.ValueKind == JsonValueKind.String && ulong.TryParse(value.GetString(), NumberStyles.None, CultureInfo.InvariantCulture, out number) ? number
        : throw new AgentException($"{field} must be an unsigned 64-bit integer, but is {value.GetRawText()}");
}
