using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>Compares an answer with the answer that a case expects.</summary>
internal static class Expectation
{
    /// <summary>Returns the first difference, as a sentence; null if the answer contains everything that is expected.</summary>
    public static string? Difference(JsonNode? expected, JsonNode? actual, string path = "")
    {
        switch (expected)
        {
            case JsonObject bound when bound.ContainsKey("atLeast") || bound.ContainsKey("below"):
                return OutOfBounds(bound, actual, path);
            case JsonObject free when free["anyOrder"] is JsonArray items:
                return AnyOrder(items, actual, path);
            case JsonObject chosen when chosen["someOf"] is JsonArray items:
                return SomeOf(items, chosen["count"]!.GetValue<int>(), actual, path);
            case JsonObject fields when actual is JsonObject found:
                return fields.Select(field => Field(field.Key, field.Value, found, path)).FirstOrDefault(each => each is not null);
            case JsonArray items when actual is JsonArray found:
                return items.Count != found.Count
                    ? $"{Name(path)} has {found.Count} items, expected {items.Count}"
                    : items.Select((item, i) => Difference(item, found[i], $"{path}[{i}]")).FirstOrDefault(each => each is not null);
            default:
                return JsonNode.DeepEquals(expected, actual) ? null : $"{Name(path)} is {Text(actual)}, expected {Text(expected)}";
        }
    }

    /// <summary>Compares lists without regard to the order. Each item must occur the same number of times in both lists.</summary>
    private static string? AnyOrder(JsonArray items, JsonNode? actual, string path) =>
        actual is not JsonArray found ? $"{Name(path)} is {Text(actual)}, expected a list"
        : Difference(Sorted(items), Sorted(found), path);

    /// <summary>Checks that the answer consists of the given number of distinct items, and that each of them is one of the expected items.</summary>
    private static string? SomeOf(JsonArray items, int count, JsonNode? actual, string path)
    {
        if (actual is not JsonArray found)
        {
            return $"{Name(path)} is {Text(actual)}, expected a list";
        }

        string[] texts = [.. found.Select(Text)];
        return texts.Length != count ? $"{Name(path)} has {texts.Length} items, expected {count}"
            : texts.Distinct().Count() != count ? $"{Name(path)} has a duplicate item"
            : texts.Except(items.Select(Text)).FirstOrDefault() is { } other ? $"{Name(path)} has the unexpected item {other}"
            : null;
    }

    private static JsonArray Sorted(JsonArray items) => new([.. items.OrderBy(Text, StringComparer.Ordinal).Select(item => item?.DeepClone())]);

    private static string? Field(string name, JsonNode? expected, JsonObject found, string path)
    {
        string inner = path.Length == 0 ? name : $"{path}.{name}";
        return name == "valueSizeBytes"
            ? Sized(expected!.GetValue<int>(), found, inner)
            : Difference(expected, found[name], inner);
    }

    private static string? Sized(int size, JsonObject found, string path)
    {
        if (found["valueBase64"]?.GetValue<string>() is not { } base64)
        {
            return $"{path}: the response has {Text(found)} instead of valueBase64";
        }

        byte[] value = Convert.FromBase64String(base64);
        return value.Length != size ? $"{path} is {value.Length}, expected {size}"
            : value.AsSpan().ContainsAnyExcept((byte)'x') ? $"{path}: the value differs from the stored value"
            : null;
    }

    private static string? OutOfBounds(JsonObject bound, JsonNode? actual, string path)
    {
        if (actual is not JsonValue number || !number.TryGetValue(out long value))
        {
            return $"{Name(path)} is {Text(actual)}, expected a number";
        }

        return bound["atLeast"] is { } least && value < least.GetValue<long>() ? $"{Name(path)} is {value}, expected at least {least}"
            : bound["below"] is { } below && value >= below.GetValue<long>() ? $"{Name(path)} is {value}, expected less than {below}"
            : null;
    }

    private static string Name(string path) => path.Length == 0 ? "the response" : path;

    private static string Text(JsonNode? node)
    {
        string text = node is null ? "absent" : node.ToJsonString(s_readable);
        return text.Length <= 300 ? text : new StringBuilder(text, 0, 300, 310).Append(" …").ToString();
    }

    private static readonly JsonSerializerOptions s_readable =
        new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
}
