using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>One case of the vectors. The format is described in protocol/vectors/README.md.</summary>
internal sealed record Case(string File, string Rule, string Name, IReadOnlyList<JsonObject> Given, JsonObject When, JsonObject Then)
{
    private const int LongList = 1_000;

    /// <summary>Gets additional fields for the agent's open request. If there are any, the case runs with its own client.</summary>
    public JsonObject? Open { get; init; }

    /// <summary>Gets additional arguments for the server. If there are any, the case runs with its own server.</summary>
    public IReadOnlyList<string> Server { get; init; } = [];

    /// <summary>Gets the transports that the case applies to; empty for all.</summary>
    public IReadOnlyList<string> Transports { get; init; } = [];

    /// <summary>Gets the stores that the case applies to, by their names in <c>--store</c>; empty for all.</summary>
    public IReadOnlyList<string> Stores { get; init; } = [];

    /// <summary>
    /// Gets whether the case sends a list of thousands of items, which can take several megabytes. A gateway's buffer for one node may be too small for
    /// two concurrent requests of this size (FLEET-6).
    /// </summary>
    public bool IsLarge => Given.Append(When).Any(HasLongList);

    /// <summary>
    /// Gets whether the case uses leases or tags. With the first of them, a gateway turns some items of the cache into misses (ADR-0122), so these cases run
    /// after the others.
    /// </summary>
    public bool UsesLeases => Rule.Split('-')[0] is "LEASE" or "STALE" or "TAG";

    public bool AppliesToStore(string store) => Stores.Count == 0 || Stores.Contains(store);

    public bool AppliesTo(string transport) => Transports.Count == 0 || Transports.Contains(transport);

    private static bool HasLongList(JsonNode? node) => node switch
    {
        JsonObject fields => (fields["repeat"]?.GetValue<int>() ?? 0) >= LongList || fields.Any(field => HasLongList(field.Value)),
        JsonArray items => items.Any(HasLongList),
        _ => false,
    };
}
