using System.Text.Json;

namespace Larder.Cli;

/// <summary>
/// One item as a line of JSON: <c>key</c> or <c>keyBase64</c>, <c>value</c> or <c>base64</c>, <c>expiresUnixMs</c> where it expires. The same names as the
/// file cache's export, which can be imported.
/// </summary>
/// <param name="Key">At least one byte.</param>
/// <param name="Value">Any bytes.</param>
/// <param name="ExpiresUnixMs">When it expires; 0: it is not said.</param>
internal readonly record struct ItemLine(byte[] Key, byte[] Value, long ExpiresUnixMs)
{
    /// <summary>Reads a line.</summary>
    /// <exception cref="FormatException">It is no item; the message says why.</exception>
    public static ItemLine Parse(ReadOnlyMemory<byte> line)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(line);
            JsonElement item = document.RootElement;
            if (item.ValueKind != JsonValueKind.Object)
            {
                throw new FormatException("it is no JSON object");
            }

            byte[] key = Bytes(item, "key", "keyBase64");
            return key.Length == 0
                ? throw new FormatException("its key is empty")
                : new ItemLine(key, Bytes(item, "value", "base64"), item.TryGetProperty("expiresUnixMs", out JsonElement at) ? at.GetInt64() : 0);
        }
        catch (Exception refused) when (refused is JsonException or InvalidOperationException)
        {
            throw new FormatException(refused.Message, refused);
        }
    }

    /// <summary>Writes the line, with its end.</summary>
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
        : throw new FormatException($"it has neither \"{text}\" nor \"{base64}\", a text");
}
