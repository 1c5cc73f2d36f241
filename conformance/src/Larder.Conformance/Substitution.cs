using System.Globalization;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>Replaces the placeholders of a case. A placeholder stands for the name of the run, a saved field, or a value of a requested size.</summary>
internal sealed class Substitution(string run)
{
    private readonly Dictionary<string, JsonNode?> _kept = [];

    /// <summary>
    /// Saves fields of an answer for later steps. For example, {"hashBase64":"h"} defines "$h" as the field "hashBase64", and {"events.0.page":"p"} defines
    /// "$p" as the page of the first event.
    /// </summary>
    public void Keep(JsonObject save, JsonObject answer)
    {
        foreach ((string? field, JsonNode? name) in save)
        {
            _kept["$" + name!.GetValue<string>()] = field.Split('.').Aggregate((JsonNode?)answer, At)?.DeepClone();
        }
    }

    /// <summary>Returns a copy of a step or an expectation with all placeholders replaced.</summary>
    public JsonObject Fill(JsonObject json) => (JsonObject)FillNode(json)!;

    private static JsonNode? At(JsonNode? node, string part) => node switch
    {
        JsonObject fields => fields[part],
        JsonArray items when int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out int index) && index < items.Count => items[index],
        _ => null,
    };

    private JsonNode? FillNode(JsonNode? node) => node switch
    {
        JsonObject fields => new JsonObject(fields.Select(field => KeyValuePair.Create(field.Key, FillNode(field.Value)))),
        JsonArray items => new JsonArray([.. items.SelectMany(Repeated).Select(FillNode)]),
        JsonValue value when value.TryGetValue(out string? text) => FillText(text),
        _ => node?.DeepClone(),
    };

    /// <summary>Expands an item of a list: {"repeat":N,"of":…} becomes N items, in which {i} is the number of the item, starting at 0.</summary>
    private static IEnumerable<JsonNode?> Repeated(JsonNode? item) => item is JsonObject fields && fields["repeat"] is { } times
        ? Enumerable.Range(0, times.GetValue<int>()).Select(number => Numbered(fields["of"], number.ToString(CultureInfo.InvariantCulture)))
        : [item];

    private static JsonNode? Numbered(JsonNode? node, string number) => node switch
    {
        JsonArray items => new JsonArray([.. items.Select(item => Numbered(item, number))]),
        // A text that is only "{i}" becomes a number, for example a score.
        JsonValue value when value.TryGetValue(out string? text) => text == "{i}"
            ? JsonNode.Parse(number)
            : text.Replace("{i}", number, StringComparison.Ordinal),
        _ => node?.DeepClone(),
    };

    private JsonNode? FillText(string text) =>
        _kept.TryGetValue(text, out JsonNode? kept) ? kept?.DeepClone() : Pad(text.Replace("{run}", run, StringComparison.Ordinal));

    private static string Pad(string text)
    {
        foreach (int length in (ReadOnlySpan<int>)[255, 256])
        {
            string mark = $"{{pad{length}}}";
            if (text.EndsWith(mark, StringComparison.Ordinal))
            {
                return text[..^mark.Length].PadRight(length, 'x');
            }
        }

        return text;
    }

    /// <summary>Adds a value of the requested size to a request and to the items of a batch.</summary>
    public static void ExpandSizes(JsonObject request)
    {
        if (request["valueSizeBytes"] is { } size)
        {
            request.Remove("valueSizeBytes");
            request["value"] = new string('x', size.GetValue<int>());
        }

        foreach (JsonObject item in request["items"]?.AsArray().OfType<JsonObject>() ?? [])
        {
            ExpandSizes(item);
        }
    }
}
