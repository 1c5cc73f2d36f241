using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>A valid request for a call, taken from the vectors. If the vectors contain no request for a call, the call cannot be checked.</summary>
internal sealed class AccessRequest
{
    // Replaces a hash that a case has saved from an earlier answer. The calls accept any bytes as a hash.
    private const string KeptHash = "AAECAwQFBgcICQoLDA0ODw==";

    private static readonly string[] s_keys = ["key", "prefix"];
    private static readonly string[] s_lists = ["keys", "items", "sources"];

    private readonly JsonObject _request;

    private AccessRequest(JsonObject request) => _request = request;

    /// <summary>Gets whether the request contains a key to which a token's key prefix applies.</summary>
    public bool HasKey => s_keys.Any(_request.ContainsKey) || s_lists.Any(list => _request[list]?.AsArray().Any(IsKeyed) ?? false);

    /// <summary>Returns a request for a call, from the cases that do not expect an error; null if no case contains such a request.</summary>
    public static AccessRequest? Of(string op, IEnumerable<Case> cases) =>
        cases.SelectMany(StepsOf).Where(step => step["op"]!.GetValue<string>() == op).Select(static step => new AccessRequest(step))
            .OrderByDescending(static each => each.HasKey)
            .ThenBy(static each => each.Text.Contains(KeptHash, StringComparison.Ordinal))
            .ThenBy(static each => each.Text.Length)
            .FirstOrDefault();

    /// <summary>
    /// Returns a copy of the request with this cache and key. In a list of keys, only the last key is <paramref name="key"/>, and all other keys are
    /// <paramref name="ownKey"/>.
    /// </summary>
    public JsonObject Naming(string cache, string key, string ownKey)
    {
        var request = (JsonObject)_request.DeepClone();
        request["cache"] = cache;
        foreach (string field in s_keys.Where(request.ContainsKey))
        {
            request[field] = key;
        }

        foreach (JsonArray list in s_lists.Select(name => request[name]).OfType<JsonArray>())
        {
            for (int i = 0; i < list.Count; i++)
            {
                Name(list, i, i == list.Count - 1 ? key : ownKey);
            }
        }

        return request;
    }

    private string Text => _request.ToJsonString();

    private static void Name(JsonArray list, int i, string key)
    {
        if (list[i] is JsonObject item)
        {
            item["key"] = key;
        }
        else if (list[i] is JsonValue)
        {
            list[i] = key;
        }
        else if (list.GetPropertyName() == "sources")
        {
            // This item of the list is a pair of a key and a weight.
            list[i]![0] = key;
        }
    }

    private static bool IsKeyed(JsonNode? item) => item is JsonObject fields ? fields.ContainsKey("key") : item is JsonValue;

    private static IEnumerable<JsonObject> StepsOf(Case vector)
    {
        var when = (JsonObject)vector.When.DeepClone();
        when["then"] = vector.Then.DeepClone();
        return vector.Given.Append(when).Where(static step => step["then"]?["result"]?.GetValue<string>() != "error").Select(Plain).OfType<JsonObject>();
    }

    // Removes the parts of a request that are specific to the case. Returns null if the request is large or its keys are bytes.
    private static JsonObject? Plain(JsonObject step)
    {
        string text = step.ToJsonString();
        if (text.Contains("repeat", StringComparison.Ordinal) || text.Contains("valueSize", StringComparison.Ordinal)
            || text.Contains("keyBase64", StringComparison.Ordinal))
        {
            return null;
        }

        var plain = (JsonObject)step.DeepClone();
        plain.Remove("then");
        plain.Remove("save");
        foreach (string field in plain.Where(static field => IsReference(field.Value)).Select(static field => field.Key).ToList())
        {
            plain[field] = KeptHash;
        }

        return plain;
    }

    private static bool IsReference(JsonNode? value) => value is JsonValue text && text.TryGetValue(out string? found) && found.StartsWith('$');
}
