using System.Text.Json;

namespace Larder.Client.Codecs;

/// <summary>Counts the elements and levels of JSON before it is deserialized.</summary>
internal static class JsonOutline
{
    // The maximum depth of System.Text.Json if its options specify 0.
    private const int SerializerMaxDepth = 64;

    /// <summary>
    /// Returns the description of the limit that the JSON exceeds, or null if it exceeds none. The result may also be null for invalid JSON, which the
    /// serializer rejects later.
    /// </summary>
    public static string? FindExcess(ReadOnlySpan<byte> json, JsonSerializerOptions options, DecodeLimits limits)
    {
        // Skips the parsing if neither limit can be exceeded. The serializer has its own maximum depth, which may be lower than the limit. Each element takes
        // at least two bytes, its first byte and a separator or a bracket, so n bytes contain at most (n + 1) / 2 elements.
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
            // The JSON up to the error is within the limits. The serializer reports the error later.
        }

        return null;
    }
}
