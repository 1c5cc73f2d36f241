using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Parses and formats each client setting under its name in <c>conformance/AGENT.md</c>.</summary>
internal static class AgentSettings
{
    private const string None = "off";

    private static readonly (string Name, Func<Configuration, JsonNode?> Tell, Func<Configuration, JsonElement, Configuration> Change)[] All =
    [
        ("requestTimeoutMs", basis => Ms(basis.RequestTimeout), (basis, value) => basis with { RequestTimeout = Time(value) }),
        ("maxInFlightUnary", basis => Cap(basis.MaxInFlightUnary), (basis, value) => basis with { MaxInFlightUnary = Cap(value) }),
        ("maxInFlightPipeline", basis => Cap(basis.MaxInFlightPipeline), (basis, value) => basis with { MaxInFlightPipeline = Cap(value) }),
        ("adaptiveTargetMs", basis => Ms(basis.AdaptiveTarget), (basis, value) => basis with { AdaptiveTarget = IsNone(value) ? null : Time(value) }),
        ("queueLimit", basis => basis.QueueLimit, (basis, value) => basis with { QueueLimit = value.GetInt32() }),
        ("channels", basis => basis.Channels, (basis, value) => basis with { Channels = value.GetInt32() }),
        ("pipelineConnections", basis => basis.PipelineConnections, (basis, value) => basis with { PipelineConnections = value.GetInt32() }),
        ("maxRetries", basis => basis.MaxRetries, (basis, value) => basis with { MaxRetries = value.GetInt32() }),
        ("retryBudget", basis => basis.RetryBudget, (basis, value) => basis with { RetryBudget = value.GetDouble() }),
        ("initialBackOffMs", basis => Ms(basis.InitialBackOff), (basis, value) => basis with { InitialBackOff = Time(value) }),
        ("maxBackOffMs", basis => Ms(basis.MaxBackOff), (basis, value) => basis with { MaxBackOff = Time(value) }),
        ("transport", basis => JsonNamingPolicy.CamelCase.ConvertName(basis.Transport.ToString()), (basis, value) => basis with { Transport = Way(value) }),
        ("eagerConnect", basis => basis.EagerConnect, (basis, value) => basis with { EagerConnect = value.GetBoolean() }),
        ("connectTimeoutMs", basis => Ms(basis.ConnectTimeout), (basis, value) => basis with { ConnectTimeout = Time(value) }),
        ("keepaliveIntervalMs", basis => Ms(basis.KeepaliveInterval), (basis, value) => basis with { KeepaliveInterval = IsNone(value) ? null : Time(value) }),
        ("keepaliveTimeoutMs", basis => Ms(basis.KeepaliveTimeout), (basis, value) => basis with { KeepaliveTimeout = Time(value) }),
        ("headers", basis => Texts(basis.Headers), (basis, value) => basis with { Headers = Texts(value) }),
        ("nearCache", basis => Near(basis.NearCache), (basis, value) => basis with { NearCache = IsNone(value) ? null : AgentNearCache.Read(value) }),
    ];

    /// <summary>Returns a copy with one setting changed. The client has not validated it yet.</summary>
    /// <exception cref="ArgumentException">The setting is unknown, or the value does not fit into the setting's .NET type.</exception>
    public static Configuration Change(Configuration configuration, string name, JsonElement value)
    {
        (string Name, Func<Configuration, JsonNode?> Tell, Func<Configuration, JsonElement, Configuration> Change) setting = All.FirstOrDefault(one =>
            one.Name == name);
        try
        {
            return setting.Change is { } change ? change(configuration, value) : throw new ArgumentException($"unknown setting \"{name}\"");
        }
        catch (Exception wrong) when (wrong is InvalidOperationException or FormatException or OverflowException)
        {
            throw new ArgumentException($"invalid value {value.GetRawText()} for {Written(name)}: {wrong.Message}", wrong);
        }
    }

    /// <summary>Returns every setting of a configuration.</summary>
    public static JsonObject Tell(Configuration configuration) => new(All.Select(one => KeyValuePair.Create(one.Name, one.Tell(configuration))));

    // Returns the .NET name of a setting. It has no unit, because the .NET type implies the unit.
    private static string Written(string name) => char.ToUpperInvariant(name[0]) + (name.EndsWith("Ms", StringComparison.Ordinal) ? name[1..^2] : name[1..]);

    private static bool IsNone(JsonElement value) => value.ValueKind == JsonValueKind.String && value.GetString() == None;

    private static TimeSpan Time(JsonElement value) => TimeSpan.FromMilliseconds(value.GetDouble());

    private static JsonNode Ms(TimeSpan? time) => time is { } given ? given.TotalMilliseconds : None;

    private static int Cap(JsonElement value) => IsNone(value) ? Configuration.Unlimited : value.GetInt32();

    private static JsonNode Cap(int cap) => cap == Configuration.Unlimited ? None : cap;

    private static JsonNode Near(NearCache? setting) => setting is null ? None : AgentNearCache.Tell(setting);

    // Parses the transport. An unknown name becomes an invalid enum value, so that the client rejects it.
    private static Transport Way(JsonElement value) => value.GetString() switch
    {
        "auto" => Transport.Auto,
        "unary" => Transport.Unary,
        "pipeline" => Transport.Pipeline,
        _ => (Transport)int.MaxValue,
    };

    private static Dictionary<string, string> Texts(JsonElement value) => value.EnumerateObject().ToDictionary(one => one.Name, one => one.Value.GetString()!);

    private static JsonObject Texts(IReadOnlyDictionary<string, string> texts) => new(texts.Select(one => KeyValuePair.Create(one.Key, (JsonNode?)one.Value)));
}
