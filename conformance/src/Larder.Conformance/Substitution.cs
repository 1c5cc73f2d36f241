using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>Fills in what a case leaves open: the run's name, kept fields, and values given by their size.</summary>
internal sealed class Substitution(string run)
{
    private readonly Dictionary<string, JsonNode?> _kept = [];

    /// <summary>Keeps fields of an answer for later steps: {"hashBase64":"h"} makes "$h" stand for it.</summary>
    public void Keep(JsonObject save, JsonObject answer)
    {
        foreach ((string? field, JsonNode? name) in save)
        {
            _kept["$" + name!.GetValue<string>()] = answer[field]?.DeepClone();
        }
    }

    /// <summary>A copy of a step or an expectation with everything filled in.</summary>
    public JsonObject Fill(JsonObject json) => (JsonObject)FillNode(json)!;

    private JsonNode? FillNode(JsonNode? node) => node switch
    {
        JsonObject fields => new JsonObject(fields.Select(field => KeyValuePair.Create(field.Key, FillNode(field.Value)))),
        JsonArray items => new JsonArray([.. items.Select(FillNode)]),
        JsonValue value when value.TryGetValue(out string? text) => FillText(text),
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

    /// <summary>Puts a value of the size asked for into a request, and into the items of a batch.</summary>
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
