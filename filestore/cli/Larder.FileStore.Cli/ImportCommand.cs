using System.Text;
using System.Text.Json;
using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>larder file import: sets the entries of an exported file, or of the older library's.</summary>
internal static class ImportCommand
{
    internal static int Run(FileInfo file, FileInfo source)
    {
        List<Operation> entries = IsOlderLibrarys(source.FullName) ? ReadOlder(source.FullName) : ReadExported(source.FullName);
        using CacheEngine engine = CacheEngine.Open(new FileStoreSettings { Path = file.FullName, MaxBytes = 1L << Word.LengthBits });
        entries.RemoveAll(e => e.ExpiresMs != 0 && e.ExpiresMs <= engine.Clock.UtcMs);
        ImportMutation mutation = new(entries);
        engine.Write(ref mutation);
        Console.WriteLine($"{Count.OfEntries(entries.Count)} imported, {engine.Count} in the cache");
        return 0;
    }

    private static bool IsOlderLibrarys(string path)
    {
        Span<byte> first = stackalloc byte[32];
        using FileStream file = File.OpenRead(path);
        int read = file.ReadAtLeast(first, first.Length, throwOnEndOfStream: false);
        return first[..read].TrimStart(" \n\r\t\uFEFF"u8).StartsWith("{\"Cache\""u8);
    }

    private static List<Operation> ReadOlder(string path) => OldJsonFile.Read(path).ConvertAll(e =>
        new Operation { Kind = OperationKind.Set, Key = e.Key, Value = e.Value, ExpiresMs = e.ExpiresMs });

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
                throw new DistributedFileStoreCacheException($"Entry {entries.Count + 1} of {path} cannot be read: {e.Message} Nothing was imported.", e);
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

    /// <summary>The text of a JSON string, unpaired surrogates included, which GetString refuses.</summary>
    private static string Text(JsonElement element) => element.ValueKind == JsonValueKind.String
        ? JsonText.Read(Encoding.UTF8.GetBytes(element.GetRawText()).AsSpan()[1..^1])
        : throw new FormatException("Keys and values are texts.");

    private static long Number(JsonElement entry, string name) => entry.TryGetProperty(name, out JsonElement number) ? number.GetInt64() : 0;
}
