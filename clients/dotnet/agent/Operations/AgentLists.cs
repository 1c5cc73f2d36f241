using System.Text;
using System.Text.Json.Nodes;
using System.Text.Unicode;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Formats the results of collection calls as fields of a response line.</summary>
internal static class AgentLists
{
    /// <summary>Adds a list of byte strings: each as text, or as {"base64":…} if it is not valid UTF-8.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<CacheValue> list) =>
        answer.With(field, Each(list, static bytes => Bytes(bytes)));

    /// <summary>Adds a list of byte strings. A missing byte string is null.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<CacheValue?> list) =>
        answer.With(field, Each(list, static bytes => bytes is { } given ? Bytes(given) : null));

    /// <summary>Adds a list of scores. A missing score is null.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<double?> list) =>
        answer.With(field, Each(list, static score => score is { } given ? Score(given) : null));

    /// <summary>Adds a list of booleans.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<bool> list) =>
        answer.With(field, Each(list, static flag => JsonValue.Create(flag)));

    /// <summary>Adds a list of fields with values, each as [field, value].</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<DictionaryField> list) =>
        answer.With(field, Each(list, static item => new JsonArray(Bytes(item.Field), Bytes(item.Value))));

    /// <summary>Adds a list of elements with scores, each as [element, score].</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<ScoredElement> list) =>
        answer.With(field, Each(list, static element => new JsonArray(Bytes(element.Value), Score(element.Score))));

    /// <summary>Adds a score.</summary>
    public static JsonObject WithScore(this JsonObject answer, string field, double score) => answer.With(field, Score(score));

    private static JsonArray Each<T>(IReadOnlyList<T> list, Func<T, JsonNode?> told) => new([.. list.Select(told)]);

    private static JsonNode Bytes(CacheValue bytes) => Utf8.IsValid(bytes.Span)
        ? JsonValue.Create(Encoding.UTF8.GetString(bytes.Span))
        : new JsonObject { ["base64"] = Convert.ToBase64String(bytes.Span) };

    // Converts a score to JSON. JSON does not support infinite numbers, so they are strings.
    private static JsonValue Score(double score) => double.IsFinite(score) ? JsonValue.Create(score) : JsonValue.Create(score > 0 ? "inf" : "-inf");
}
