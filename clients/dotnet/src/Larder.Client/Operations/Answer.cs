using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>Parses responses.</summary>
internal static partial class Answer
{
    /// <summary>Checks that a message whose content is not needed is well-formed.</summary>
    public static void RequireWellFormed(ReadOnlySpan<byte> payload)
    {
        ProtoReader reader = new(payload);
        while (reader.NextField() && reader.TrySkip())
        {
        }

        ThrowIfMalformed(reader);
    }

    /// <summary>
    /// Reads a message that contains only one <c>oneof</c> of nested messages. Returns the field number and the content of the last nested message.
    /// </summary>
    public static int ReadOutcome(ReadOnlySpan<byte> payload, out ReadOnlySpan<byte> content)
    {
        ProtoReader reader = new(payload);
        int outcome = 0;
        content = default;
        while (reader.NextField())
        {
            if (reader.WireType != ProtoWireType.LengthDelimited)
            {
                reader.TrySkip();
            }
            else if (reader.TryReadBytes(out ReadOnlySpan<byte> bytes))
            {
                outcome = reader.Field;
                content = bytes;
            }
        }

        ThrowIfMalformed(reader);
        return outcome;
    }

    /// <summary>Reads the varint of one field. Returns 0 if the field is absent.</summary>
    public static ulong ReadVarint(ReadOnlySpan<byte> payload, int field)
    {
        ProtoReader reader = new(payload);
        ulong value = 0;
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out value);
            }
            else
            {
                reader.TrySkip();
            }
        }

        ThrowIfMalformed(reader);
        return value;
    }

    /// <summary>
    /// Reads a field that contains milliseconds. The result is at most half of the maximum <see cref="TimeSpan"/>. Returns zero if the field is absent.
    /// </summary>
    public static TimeSpan ReadDuration(ReadOnlySpan<byte> payload, int field) =>
        TimeSpan.FromMilliseconds(Math.Min(ReadVarint(payload, field), (ulong)TimeSpan.MaxValue.TotalMilliseconds / 2));

    /// <summary>Reads the bytes of one field. Returns an empty span if the field is absent.</summary>
    public static ReadOnlySpan<byte> ReadBytes(ReadOnlySpan<byte> payload, int field)
    {
        ProtoReader reader = new(payload);
        ReadOnlySpan<byte> bytes = default;
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.LengthDelimited))
            {
                reader.TryReadBytes(out bytes);
            }
            else
            {
                reader.TrySkip();
            }
        }

        ThrowIfMalformed(reader);
        return bytes;
    }

    public static void ThrowIfMalformed(in ProtoReader reader)
    {
        if (reader.IsMalformed)
        {
            throw new FormatException("The response is not a valid protobuf message.");
        }
    }

    /// <summary>Throws unless the response has exactly one part for each requested part.</summary>
    private static void RequireCount(int? parts, int asked)
    {
        if (parts is { } count && count != asked)
        {
            throw new FormatException($"The response has {count} parts, but {asked} were requested.");
        }
    }

    /// <inheritdoc cref="RequireCount(int?, int)"/>
    public static void RequireCount<T>(CacheResult<IReadOnlyList<T>> result, int asked) =>
        RequireCount(result.TryGetValue(out IReadOnlyList<T>? parts) ? parts.Count : null, asked);

    /// <inheritdoc cref="RequireCount(int?, int)"/>
    public static void RequireCount<T>(LookupResult<IReadOnlyList<T>> result, int asked) =>
        RequireCount(result.TryGetValue(out IReadOnlyList<T>? parts) ? parts.Count : null, asked);

    public static FormatException Unexpected(string operation) => new($"The response of {operation} has an unknown outcome; update the client.");
}
