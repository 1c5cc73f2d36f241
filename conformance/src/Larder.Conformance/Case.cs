using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>One case of the vectors (protocol/vectors/README.md).</summary>
internal sealed record Case(string File, string Rule, string Name, IReadOnlyList<JsonObject> Given, JsonObject When, JsonObject Then)
{
    private const int LongList = 1_000;

    /// <summary>Fields added to the agent's open; the case has an agent of its own where there are any.</summary>
    public JsonObject? Open { get; init; }

    /// <summary>Arguments added to the server's command line; the case has a server of its own where there are any.</summary>
    public IReadOnlyList<string> Server { get; init; } = [];

    /// <summary>Transports on which the case has a meaning; empty: all.</summary>
    public IReadOnlyList<string> Transports { get; init; } = [];

    /// <summary>Stores on which the case has a meaning, as <c>--store</c> names them; empty: all.</summary>
    public IReadOnlyList<string> Stores { get; init; } = [];

    /// <summary>Whether it sends a list of thousands, up to megabytes: two at once may be more than a front has room for at one node (FLEET-6).</summary>
    public bool IsLarge => Given.Append(When).Any(HasLongList);

    public bool AppliesToStore(string store) => Stores.Count == 0 || Stores.Contains(store);

    public bool AppliesTo(string transport) => Transports.Count == 0 || Transports.Contains(transport);

    private static bool HasLongList(JsonNode? node) => node switch
    {
        JsonObject fields => (fields["repeat"]?.GetValue<int>() ?? 0) >= LongList || fields.Any(field => HasLongList(field.Value)),
        JsonArray items => items.Any(HasLongList),
        _ => false,
    };
}
