using System.Text.Json;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Reads what collections are given, in the forms that <c>conformance/AGENT.md</c> allows.</summary>
internal static class JsonLists
{
    /// <summary>A list of bytes, each a text or {"base64":…}.</summary>
    /// <exception cref="AgentException">It is missing, or something in it is neither.</exception>
    public static CacheBytes[] List(this JsonElement line, string field) => Each(line, field, Bytes);

    /// <summary>Fields with their values: [field, value] each.</summary>
    /// <exception cref="AgentException">It is missing.</exception>
    public static DictionaryItem[] Items(this JsonElement line, string field) =>
        Each(line, field, static pair => new DictionaryItem(Bytes(pair[0]), Bytes(pair[1])));

    /// <summary>Elements with their scores: [element, score] each.</summary>
    /// <exception cref="AgentException">It is missing.</exception>
    public static SortedSetElement[] Elements(this JsonElement line, string field) =>
        Each(line, field, static pair => new SortedSetElement(Bytes(pair[0]), Score(pair[1])));

    /// <summary>Ranges of a list: [begin, count] each.</summary>
    /// <exception cref="AgentException">It is missing.</exception>
    public static ListRange[] Ranges(this JsonElement line, string field) =>
        Each(line, field, static pair => new ListRange(pair[0].GetInt32(), pair[1].GetInt32()));

    /// <summary>Sorted sets with their weights: [key, weight] each, or a key alone.</summary>
    /// <exception cref="AgentException">It is missing.</exception>
    public static SortedSetSource[] Sources(this JsonElement line, string field) => Each(line, field, static source =>
        source.ValueKind == JsonValueKind.Array ? new SortedSetSource(Bytes(source[0]), (float)Score(source[1])) : new SortedSetSource(Bytes(source)));

    /// <summary>A collection's time to live; null where neither <c>ttlMs</c> nor <c>refreshTtl</c> is there.</summary>
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

    /// <summary>An index, null where it is left out.</summary>
    public static int? Index(this JsonElement line, string field) => line.Long(field) is { } index ? checked((int)index) : null;

    /// <summary>A number of 32 bits, or <paramref name="otherwise"/> where it is left out.</summary>
    public static int Int(this JsonElement line, string field, int otherwise) => line.Index(field) ?? otherwise;

    /// <summary>A score; 1 where it is left out.</summary>
    public static double Score(this JsonElement line, string field) => line.TryGetProperty(field, out JsonElement score) ? Score(score) : 1;

    /// <summary>A bound of scores: a score, or {"score":…,"exclusive":true}; null where it is left out.</summary>
    public static ScoreBound? Bound(this JsonElement line, string field) =>
        !line.TryGetProperty(field, out JsonElement bound) ? null
        : bound.ValueKind == JsonValueKind.Object ? new ScoreBound(bound.Score("score"), bound.Flag("exclusive", false))
        : new ScoreBound(Score(bound));

    /// <summary>One of an enum, in any case; <paramref name="otherwise"/> where it is left out.</summary>
    public static T Choice<T>(this JsonElement line, string field, T otherwise)
        where T : struct, Enum => line.Text(field) is { } name ? Enum.Parse<T>(name, ignoreCase: true) : otherwise;

    private static T[] Each<T>(JsonElement line, string field, Func<JsonElement, T> read) =>
        line.TryGetProperty(field, out JsonElement items) ? [.. items.EnumerateArray().Select(read)] : throw new AgentException($"{field} is missing");

    private static CacheBytes Bytes(JsonElement item) => item.ValueKind == JsonValueKind.Object ? item.GetProperty("base64").GetBytesFromBase64()
        : item.ValueKind == JsonValueKind.String ? item.GetString()
        : throw new AgentException($"{item.GetRawText()} is neither a text nor bytes");

    private static double Score(JsonElement score) => score.ValueKind == JsonValueKind.Number ? score.GetDouble() : score.GetString() switch
    {
        "inf" => double.PositiveInfinity,
        "-inf" => double.NegativeInfinity,
        "nan" => double.NaN,
        string text => throw new AgentException($"{text} is no score"),
        null => throw new AgentException("null is no score"),
    };
}
