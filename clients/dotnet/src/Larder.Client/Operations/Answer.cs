using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>Reads the shapes that answers are made of.</summary>
internal static partial class Answer
{
    /// <summary>Reads past every field of a message that says nothing we need.</summary>
    public static void RequireWellFormed(ReadOnlySpan<byte> payload)
    {
        ProtoReader reader = new(payload);
        while (reader.NextField() && reader.TrySkip())
        {
        }

        ThrowIfMalformed(reader);
    }

    /// <summary>Reads a message that is one <c>oneof</c> of nested messages: the last one's number and content.</summary>
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

    /// <summary>Reads the varint of one field; 0 where the field is absent.</summary>
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

    /// <summary>Reads the milliseconds of one field, at most half of what a <see cref="TimeSpan"/> holds; zero where the field is absent.</summary>
    public static TimeSpan ReadDuration(ReadOnlySpan<byte> payload, int field) =>
        TimeSpan.FromMilliseconds(Math.Min(ReadVarint(payload, field), (ulong)TimeSpan.MaxValue.TotalMilliseconds / 2));

    /// <summary>Reads the bytes of one field; empty where the field is absent.</summary>
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
            throw new FormatException("The answer is no protobuf message.");
        }
    }

    /// <summary>Of an answer that has parts: that there is one for each that was asked for.</summary>
    public static void RequireCount(int? parts, int asked)
    {
        if (parts is { } count && count != asked)
        {
            throw new FormatException($"The answer has {count} parts, not the {asked} asked for.");
        }
    }

    public static FormatException Unexpected(string operation) => new($"The answer of {operation} has no outcome that this client knows.");
}
