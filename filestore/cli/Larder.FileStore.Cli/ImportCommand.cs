using System.Globalization;
using System.Text;
using System.Text.Json;
using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>
/// The command <c>larder file import</c>: sets entries from an exported file, a cache file of Net.DistributedFileStoreCache, or a JSON settings file.
/// </summary>
internal static class ImportCommand
{
    internal static int Run(FileInfo file, FileInfo source)
    {
        List<Operation> entries = ReadOlder(source.FullName) ?? ReadSettings(source.FullName) ?? ReadExported(source.FullName);
        using CacheEngine engine = CacheEngine.Open(new FileStoreSettings { Path = file.FullName, MaxBytes = 1L << Word.LengthBits });
        entries.RemoveAll(e => e.ExpiresMs != 0 && e.ExpiresMs <= engine.Clock.UtcMs);
        ImportMutation mutation = new(entries);
        engine.Write(ref mutation);
        Console.WriteLine($"{Count.OfEntries(entries.Count)} imported; the cache contains {Count.OfEntries(engine.Count)}");
        return 0;
    }

    /// <summary>Returns the entries of a cache file of Net.DistributedFileStoreCache; null if the file has another format.</summary>
    private static List<Operation>? ReadOlder(string path)
    {
        using JsonDocument? document = ReadObject(path);
        return document is not null && document.RootElement.TryGetProperty("Cache", out JsonElement cache) && cache.ValueKind == JsonValueKind.Object
            ? OldJsonFile.Read(path).ConvertAll(e => new Operation { Kind = OperationKind.Set, Key = e.Key, Value = e.Value, ExpiresMs = e.ExpiresMs })
            : null;
    }

    /// <summary>
    /// Returns the values of a settings file such as appsettings.json, with the keys of .NET's configuration (<c>Shop:Rooms:1</c>); null if the file has
    /// another format.
    /// </summary>
    private static List<Operation>? ReadSettings(string path)
    {
        using JsonDocument? document = ReadObject(path);
        if (document is null || document.RootElement.TryGetProperty("key", out _))
        {
            return null;
        }
        List<Operation> entries = [];
        AddSettings(entries, "", document.RootElement);
        return entries;
    }

    private static void AddSettings(List<Operation> entries, string key, JsonElement value)
    {
        string below = key.Length == 0 ? "" : key + ":";
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                foreach (JsonProperty property in value.EnumerateObject())
                {
                    AddSettings(entries, below + property.Name, property.Value);
                }
                break;
            case JsonValueKind.Array:
                int index = 0;
                foreach (JsonElement item in value.EnumerateArray())
                {
                    AddSettings(entries, string.Create(CultureInfo.InvariantCulture, $"{below}{index++}"), item);
                }
                break;
            default:
                string text = value.ValueKind switch { JsonValueKind.String => Text(value), JsonValueKind.Null => "", _ => value.GetRawText() };
                entries.Add(new Operation { Kind = OperationKind.Set, Key = key, Value = text });
                break;
        }
    }

    /// <summary>Returns the file as one JSON object; null if the file is not a single object, for example if it is an exported file of several lines.</summary>
    private static JsonDocument? ReadObject(string path)
    {
        try
        {
            JsonDocument document = OldJsonFile.Parse(path);
            return document.RootElement.ValueKind == JsonValueKind.Object ? document : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static List<Operation> ReadExported(string path)
    {
        List<Operation> entries = [];
        foreach (string line in File.ReadLines(path).Where(l => l.Length > 0))
        {
            try
            {
                using JsonDocument document = JsonDocument.Parse(line);
                entries.Add(ReadEntry(document.RootElement));
            }
            catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
            {
                throw new DistributedFileStoreCacheException(
                    $"Cannot read entry {entries.Count + 1} of {path}: {e.Message} Nothing was imported; fix the file and try again.", e);
            }
        }
        return entries;
    }

    private static Operation ReadEntry(JsonElement entry) => new()
    {
        Kind = OperationKind.Set,
        Key = Text(entry.GetProperty("key")),
        Value = entry.TryGetProperty("value", out JsonElement text) ? Text(text) : entry.GetProperty("base64").GetBytesFromBase64(),
        ExpiresMs = Number(entry, "expiresUnixMs"),
        SlidingMs = Number(entry, "slidingMs"),
        CapMs = Number(entry, "capUnixMs"),
    };

    /// <summary>Returns the text of a JSON string. Unlike GetString, it accepts unpaired surrogates.</summary>
    private static string Text(JsonElement element) => element.ValueKind == JsonValueKind.String
        ? JsonText.Read(Encoding.UTF8.GetBytes(element.GetRawText()).AsSpan()[1..^1])
        : throw new FormatException("Keys and values must be strings.");

    private static long Number(JsonElement entry, string name) => entry.TryGetProperty(name, out JsonElement number) ? number.GetInt64() : 0;
}
