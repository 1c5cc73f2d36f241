using System.Text.Json;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Reads the arguments of collection calls in the forms that <c>conformance/AGENT.md</c> allows.</summary>
internal static class JsonLists
{
    /// <summary>Returns a list of byte strings, each given as text or as {"base64":…}.</summary>
    /// <exception cref="AgentException">The field is missing, or an entry has neither form.</exception>
    public static CacheBytes[] List(this JsonElement line, string field) => Each(line, field, Bytes);

    /// <summary>Returns fields with values, each given as [field, value].</summary>
    /// <exception cref="AgentException">The field is missing.</exception>
    public static DictionaryItem[] Items(this JsonElement line, string field) =>
        Each(line, field, static pair => new DictionaryItem(Bytes(pair[0]), Bytes(pair[1])));

    /// <summary>Returns elements with scores, each given as [element, score].</summary>
    /// <exception cref="AgentException">The field is missing.</exception>
    public static SortedSetElement[] Elements(this JsonElement line, string field) =>
        Each(line, field, static pair => new SortedSetElement(Bytes(pair[0]), Score(pair[1])));

    /// <summary>Returns ranges of a list, each given as [begin, count].</summary>
    /// <exception cref="AgentException">The field is missing.</exception>
    public static ListRange[] Ranges(this JsonElement line, string field) =>
        Each(line, field, static pair => new ListRange(pair[0].GetInt32(), pair[1].GetInt32()));

    /// <summary>Returns sorted sets with weights, each given as [key, weight] or as a key alone.</summary>
    /// <exception cref="AgentException">The field is missing.</exception>
    public static SortedSetSource[] Sources(this JsonElement line, string field) => Each(line, field, static source =>
        source.ValueKind == JsonValueKind.Array ? new SortedSetSource(Bytes(source[0]), (float)Score(source[1])) : new SortedSetSource(Bytes(source)));

    /// <summary>Returns a collection's TTL, or null if both <c>ttlMs</c> and <c>refreshTtl</c> are absent.</summary>
    public static CollectionTtl? CollectionTtl(this JsonElement line)
    {
        TimeSpan? ttl = line.Ttl();
        if (ttl is null && !line.TryGetProperty("refreshTtl", out _))
        {
            return null;
        }

        CollectionTtl given = ttl is { } time ? Client.CollectionTtl.Of(time) : Client.CollectionTtl.FromCacheTtl();
        return line.Flag("refreshTtl", true) ? given : given.WithNoRefreshTtlOnUpdates();
    }

    /// <summary>Returns an index, or null if the field is absent.</summary>
    public static int? Index(this JsonElement line, string field) => line.Long(field) is { } index ? checked((int)index) : null;

    /// <summary>Returns a 32-bit integer, or <paramref name="otherwise"/> if the field is absent.</summary>
    public static int Int(this JsonElement line, string field, int otherwise) => line.Index(field) ?? otherwise;

    /// <summary>Returns a score. The default is 1.</summary>
    public static double Score(this JsonElement line, string field) => line.TryGetProperty(field, out JsonElement score) ? Score(score) : 1;

    /// <summary>Returns a score bound given as a score or as {"score":…,"exclusive":true}, or null if the field is absent.</summary>
    public static ScoreBound? Bound(this JsonElement line, string field) =>
        !line.TryGetProperty(field, out JsonElement bound) ? null
        : bound.ValueKind == JsonValueKind.Object ? new ScoreBound(bound.Score("score"), bound.Flag("exclusive", false))
        : new ScoreBound(Score(bound));

    /// <summary>Returns an enum value, in any letter case, or <paramref name="otherwise"/> if the field is absent.</summary>
    public static T Choice<T>(this JsonElement line, string field, T otherwise)
        where T : struct, Enum => line.Text(field) is { } name ? Enum.Parse<T>(name, ignoreCase: true) : otherwise;

    private static T[] Each<T>(JsonElement line, string field, Func<JsonElement, T> read) =>
        line.TryGetProperty(field, out JsonElement items) ? [.. items.EnumerateArray().Select(read)] : throw new AgentException($"{field} is missing");

    private static CacheBytes Bytes(JsonElement item) => item.ValueKind == JsonValueKind.Object ? item.GetProperty("base64").GetBytesFromBase64()
        : item.ValueKind == JsonValueKind.String ? item.GetString()
        : throw new AgentException($"an element must be a string or an object with base64, but is {item.GetRawText()}");

    private static double Score(JsonElement score) => score.ValueKind == JsonValueKind.Number ? score.GetDouble() : score.GetString() switch
    {
        "inf" => double.PositiveInfinity,
        "-inf" => double.NegativeInfinity,
        "nan" => double.NaN,
        string text => throw new AgentException($"a score must be a number, inf, -inf or nan, but is {text}"),
        null => throw new AgentException("a score must be a number, inf, -inf or nan, but is null"),
    };
}
