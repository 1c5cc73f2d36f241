using System.Text;
using System.Text.Json.Nodes;
using System.Text.Unicode;
using Larder.Client;

namespace Larder.Agent;

/// <summary>What collections answer, as fields of an answer line.</summary>
internal static class AgentLists
{
    /// <summary>The answer with a list of bytes, each as a text or, where it is none, as {"base64":…}.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<ReadOnlyMemory<byte>> list) =>
        answer.With(field, Each(list, static bytes => Bytes(bytes)));

    /// <summary>The answer with a list of bytes, null where there are none.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<ReadOnlyMemory<byte>?> list) =>
        answer.With(field, Each(list, static bytes => bytes is { } given ? Bytes(given) : null));

    /// <summary>The answer with a list of scores, null where there is none.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<double?> list) =>
        answer.With(field, Each(list, static score => score is { } given ? Score(given) : null));

    /// <summary>The answer with a list of truth values.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<bool> list) =>
        answer.With(field, Each(list, static flag => JsonValue.Create(flag)));

    /// <summary>The answer with fields and their values: [field, value] each.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<DictionaryField> list) =>
        answer.With(field, Each(list, static item => new JsonArray(Bytes(item.Field), Bytes(item.Value))));

    /// <summary>The answer with elements and their scores: [element, score] each.</summary>
    public static JsonObject WithList(this JsonObject answer, string field, IReadOnlyList<ScoredElement> list) =>
        answer.With(field, Each(list, static element => new JsonArray(Bytes(element.Value), Score(element.Score))));

    /// <summary>The answer with a score.</summary>
    public static JsonObject WithScore(this JsonObject answer, string field, double score) => answer.With(field, Score(score));

    private static JsonArray Each<T>(IReadOnlyList<T> list, Func<T, JsonNode?> told) => new([.. list.Select(told)]);

    private static JsonNode Bytes(ReadOnlyMemory<byte> bytes) => Utf8.IsValid(bytes.Span)
        ? JsonValue.Create(Encoding.UTF8.GetString(bytes.Span))
        : new JsonObject { ["base64"] = Convert.ToBase64String(bytes.Span) };

    // JSON has no infinite numbers.
    private static JsonValue Score(double score) => double.IsFinite(score) ? JsonValue.Create(score) : JsonValue.Create(score > 0 ? "inf" : "-inf");
}
