using System.Text.Json;

namespace Larder.FileStore.Engine;

/// <summary>
/// Reads a cache file of Net.DistributedFileStoreCache, which is one line: <c>{"Cache":{"k":"v"},"TimeOuts":{"k":639308417394430911}}</c>, with expirations in
/// UTC ticks.
/// </summary>
internal static class OldJsonFile
{
    /// <summary>Appends the entries that have not expired to a new log. Returns their number.</summary>
    internal static int CopyTo(Stream log, string path, CacheClock clock)
    {
        RecordBuffer buffer = new();
        int copied = 0;
        foreach ((string key, string value, long expiresMs) in Read(path))
        {
            if (expiresMs != 0 && expiresMs <= clock.UtcMs)
            {
                continue;
            }
            buffer.BeginLine();
            buffer.Set(key, value, expiresMs, 0, 0);
            buffer.EndLine();
            copied++;
        }
        log.Write(buffer.Written);
        return copied;
    }

    private static readonly JsonDocumentOptions AsSettingsAre = new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip };

    /// <summary>Parses a JSON file that may contain comments, trailing commas and a byte order mark, as settings files do.</summary>
    internal static JsonDocument Parse(string path) => JsonDocument.Parse(File.ReadAllText(path), AsSettingsAre);

    /// <summary>Returns the entries of the file, with their expiration in Unix ms UTC (0 for none).</summary>
    internal static List<(string Key, string Value, long ExpiresMs)> Read(string path)
    {
        try
        {
            using JsonDocument document = Parse(path);
            JsonElement timeouts = document.RootElement.TryGetProperty("TimeOuts", out JsonElement found) ? found : default;
            List<(string, string, long)> entries = [];
            foreach (JsonProperty entry in document.RootElement.GetProperty("Cache").EnumerateObject())
            {
                long expiresMs = timeouts.ValueKind == JsonValueKind.Object && timeouts.TryGetProperty(entry.Name, out JsonElement ticks)
                    ? new DateTimeOffset(ticks.GetInt64(), TimeSpan.Zero).ToUnixTimeMilliseconds()
                    : 0;
                entries.Add((entry.Name, entry.Value.GetString() ?? "", expiresMs));
            }
            return entries;
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException or FormatException or ArgumentOutOfRangeException)
        {
            throw new DistributedFileStoreCacheException(
                $"Cannot import {path}: it is not a cache file of the older library ({e.Message}). Move or fix the file, and try again.", e);
        }
    }
}
