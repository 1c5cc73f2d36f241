using System.Text.Json;

namespace Larder.Client.Codecs;

/// <summary>Counts the elements and levels of JSON before it is deserialized.</summary>
internal static class JsonOutline
{
    // Of System.Text.Json, where its options say 0.
    private const int SerializerMaxDepth = 64;

    /// <summary>Returns the limit that the JSON exceeds, or null. JSON that is invalid may pass: the serializer rejects it.</summary>
    public static string? FindExcess(ReadOnlySpan<byte> json, JsonSerializerOptions options, DecodeLimits limits)
    {
        // The serializer stops at its own depth. An element has a separator or a bracket besides its first byte: n bytes hold at most (n + 1) / 2 elements.
        int serializerDepth = options.MaxDepth == 0 ? SerializerMaxDepth : options.MaxDepth;
        bool mayBeTooDeep = serializerDepth > limits.MaxDepth && json.Length > limits.MaxDepth;
        if (!mayBeTooDeep && (json.Length + 1L) / 2 <= limits.MaxElements)
        {
            return null;
        }

        Utf8JsonReader reader = new(json, new JsonReaderOptions
        {
            AllowTrailingCommas = options.AllowTrailingCommas,
            CommentHandling = options.ReadCommentHandling,
            MaxDepth = serializerDepth,
        });
        int elements = 0;
        try
        {
            while (reader.Read())
            {
                if (reader.TokenType is JsonTokenType.EndArray or JsonTokenType.EndObject or JsonTokenType.Comment)
                {
                    continue;
                }

                if (++elements > limits.MaxElements)
                {
                    return limits.TooManyElements;
                }

                if (reader.TokenType is JsonTokenType.StartArray or JsonTokenType.StartObject && reader.CurrentDepth >= limits.MaxDepth)
                {
                    return limits.TooDeep;
                }
            }
        }
        catch (JsonException)
        {
            // What stands before the error is within the limits; the serializer reports the error.
        }

        return null;
    }
}
