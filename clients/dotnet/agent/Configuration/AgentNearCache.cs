using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Parses and formats the near cache setting. See <c>conformance/AGENT.md</c>, "configuration".</summary>
internal static class AgentNearCache
{
    private static readonly string[] s_parts = ["maxBytes", "maxAgeMs", "caches", "keyPrefixes"];

    /// <exception cref="FormatException">The object contains an unknown field, or <c>maxBytes</c> is missing.</exception>
    public static NearCache Read(JsonElement value)
    {
        if (value.EnumerateObject().Any(static part => !s_parts.Contains(part.Name)))
        {
            throw new FormatException($"the object has an unknown field; known fields: {string.Join(", ", s_parts)}");
        }

        NearCache made = new()
        {
            MaxBytes = value.TryGetProperty("maxBytes", out JsonElement bytes) ? bytes.GetInt64() : throw new FormatException("maxBytes is missing"),
            Caches = Texts(value, "caches"),
            KeyPrefixes = Texts(value, "keyPrefixes")?.ConvertAll(static text => (CacheBytes)text),
        };
        return value.TryGetProperty("maxAgeMs", out JsonElement age) ? made with { MaxAge = TimeSpan.FromMilliseconds(age.GetDouble()) } : made;
    }

    public static JsonObject Tell(NearCache setting)
    {
        JsonObject told = new() { ["maxBytes"] = setting.MaxBytes, ["maxAgeMs"] = setting.MaxAge.TotalMilliseconds };
        if (setting.Caches is { } caches)
        {
            told["caches"] = new JsonArray([.. caches.Select(static name => (JsonNode)name)]);
        }

        if (setting.KeyPrefixes is { } prefixes)
        {
            told["keyPrefixes"] = new JsonArray([.. prefixes.Select(static prefix => (JsonNode)Encoding.UTF8.GetString(prefix.ToArray()))]);
        }

        return told;
    }

    private static List<string>? Texts(JsonElement value, string part) =>
        value.TryGetProperty(part, out JsonElement list) ? [.. list.EnumerateArray().Select(static text => text.GetString()!)] : null;
}
