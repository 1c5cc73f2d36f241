using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The scanKeys operation: reads one page, or all pages with "all". With "all", each key is returned once, in order.</summary>
internal static class AgentScan
{
    public static async Task<JsonObject> RunAsync(Cache cache, JsonElement line, CancellationToken stop)
    {
        byte[] prefix = line.TryGetProperty("prefix", out _) || line.TryGetProperty("prefixBase64", out _) ? line.Bytes("prefix") : [];
        CacheItemType? type = line.Text("type") is { } name ? Enum.Parse<CacheItemType>(name, ignoreCase: true) : null;
        int count = line.TryGetProperty("count", out JsonElement asked) ? (int)Math.Min(asked.GetInt64(), int.MaxValue) : 0;
        byte[] cursor = Convert.FromBase64String(line.Text("cursorBase64") ?? "");
        Dictionary<string, ScannedKey> met = [];
        while (true)
        {
            CacheResult<KeyPage> response = await cache.ScanKeysAsync(prefix, type, cursor, count, stop).ConfigureAwait(false);
            if (!response.IsSuccess)
            {
                return AgentAnswer.FailedOr(response);
            }

            if (!line.Flag("all", false))
            {
                return JsonOf(response.Value.Keys, response.Value.Cursor);
            }

            foreach (ScannedKey key in response.Value.Keys)
            {
                met[Convert.ToHexString(key.Key.Span)] = key;
            }

            cursor = response.Value.Cursor.ToArray();
            if (cursor.Length == 0)
            {
                return JsonOf([.. met.OrderBy(static each => each.Key, StringComparer.Ordinal).Select(static each => each.Value)], cursor);
            }
        }
    }

    private static JsonObject JsonOf(IReadOnlyList<ScannedKey> keys, ReadOnlyMemory<byte> cursor) =>
        AgentAnswer.Result("success").With("keys", new JsonArray([.. keys.Select(JsonOf)])).With("cursorBase64", Convert.ToBase64String(cursor.Span));

    private static JsonObject JsonOf(ScannedKey key) => new JsonObject()
        .WithBytes("key", key.Key.Span)
        .With("type", JsonNamingPolicy.CamelCase.ConvertName(key.Type.ToString()))
        .With("remainingTtlMs", (long)key.RemainingTtl.TotalMilliseconds)
        .With("sizeBytes", key.SizeBytes);
}
