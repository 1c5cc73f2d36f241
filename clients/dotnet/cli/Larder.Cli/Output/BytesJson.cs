using System.Text.Json;
using System.Text.Unicode;

namespace Larder.Cli;

/// <summary>Writes bytes as a JSON property: as text if they are valid UTF-8, otherwise as base64 with a different property name.</summary>
internal static class BytesJson
{
    /// <summary>Writes a key as the property <c>key</c>, or as <c>keyBase64</c> if it is not valid UTF-8.</summary>
    public static void WriteKey(Utf8JsonWriter writer, ReadOnlySpan<byte> key) => Write(writer, "key"u8, "keyBase64"u8, key);

    /// <summary>Writes a value as the property <c>value</c>, or as <c>base64</c> if it is not valid UTF-8.</summary>
    public static void WriteValue(Utf8JsonWriter writer, ReadOnlySpan<byte> value) => Write(writer, "value"u8, "base64"u8, value);

    /// <summary>Writes a field of a dictionary as the property <c>field</c>, or as <c>fieldBase64</c> if it is not valid UTF-8.</summary>
    public static void WriteField(Utf8JsonWriter writer, ReadOnlySpan<byte> field) => Write(writer, "field"u8, "fieldBase64"u8, field);

    private static void Write(Utf8JsonWriter writer, ReadOnlySpan<byte> text, ReadOnlySpan<byte> base64, ReadOnlySpan<byte> bytes)
    {
        if (Utf8.IsValid(bytes))
        {
            writer.WriteString(text, bytes);
        }
        else
        {
            writer.WriteBase64String(base64, bytes);
        }
    }
}
