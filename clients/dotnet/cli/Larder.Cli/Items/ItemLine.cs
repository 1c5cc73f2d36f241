using System.Text.Json;

namespace Larder.Cli;

/// <summary>
/// One item as a line of JSON: <c>key</c> or <c>keyBase64</c>, <c>value</c> or <c>base64</c>, and <c>expiresUnixMs</c> if the expiry time is known. The names
/// equal the names in an export of the file cache, so that such an export can be imported.
/// </summary>
/// <param name="Key">The key, at least one byte.</param>
/// <param name="Value">The value.</param>
/// <param name="ExpiresUnixMs">The expiry time in Unix milliseconds, or 0 if it is unknown.</param>
internal readonly record struct ItemLine(byte[] Key, byte[] Value, long ExpiresUnixMs)
{
    /// <summary>Parses a line.</summary>
    /// <exception cref="FormatException">The line is not an item. The message contains the reason.</exception>
    public static ItemLine Parse(ReadOnlyMemory<byte> line)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(line);
            JsonElement item = document.RootElement;
            if (item.ValueKind != JsonValueKind.Object)
            {
                throw new FormatException("the item is not a JSON object");
            }

            byte[] key = Bytes(item, "key", "keyBase64");
            return key.Length == 0
                ? throw new FormatException("the key is empty")
                : new ItemLine(key, Bytes(item, "value", "base64"), item.TryGetProperty("expiresUnixMs", out JsonElement at) ? at.GetInt64() : 0);
        }
        catch (Exception refused) when (refused is JsonException or InvalidOperationException)
        {
            throw new FormatException(refused.Message, refused);
        }
    }

    /// <summary>Writes the line and a line break.</summary>
    public void Write(Stream output)
    {
        using (Utf8JsonWriter writer = new(output))
        {
            writer.WriteStartObject();
            BytesJson.WriteKey(writer, Key);
            BytesJson.WriteValue(writer, Value);
            if (ExpiresUnixMs != 0)
            {
                writer.WriteNumber("expiresUnixMs"u8, ExpiresUnixMs);
            }

            writer.WriteEndObject();
        }

        output.WriteByte((byte)'\n');
    }

    private static byte[] Bytes(JsonElement item, string text, string base64) =>
        item.TryGetProperty(text, out JsonElement given) && given.ValueKind == JsonValueKind.String ? System.Text.Encoding.UTF8.GetBytes(given.GetString()!)
        : item.TryGetProperty(base64, out given) && given.ValueKind == JsonValueKind.String ? given.GetBytesFromBase64()
        : throw new FormatException($"the item must have a string \"{text}\" or \"{base64}\"");
}
