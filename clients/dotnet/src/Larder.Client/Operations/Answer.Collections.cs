using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <content>
/// Parses the responses of collection calls. The bytes of all elements of a response share one array, so that a response with many small elements needs few
/// objects.
/// </content>
internal static partial class Answer
{
    // The value Hit of the enum CacheResult in cache.proto.
    private const ulong Hit = 2;
    private const ulong Miss = 3;

    private delegate T Read<T>(ReadOnlySpan<byte> message, CacheValue own);

    /// <summary>Reads a double. Returns 0 if the field is absent.</summary>
    public static double ReadDouble(ReadOnlySpan<byte> payload, int field)
    {
        ProtoReader reader = new(payload);
        double value = 0;
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.Fixed64))
            {
                reader.TryReadDouble(out value);
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
    /// Reads a number as an <see cref="int"/>. If it is too large for an <see cref="int"/>, returns <c>int.MaxValue</c>, which is larger than any collection.
    /// </summary>
    public static int ReadInt(ReadOnlySpan<byte> payload, int field) => (int)Math.Min(ReadVarint(payload, field), int.MaxValue);

    /// <summary>Reads a number as a <see cref="long"/>. If it is too large for a <see cref="long"/>, returns <c>long.MaxValue</c>.</summary>
    public static long ReadLong(ReadOnlySpan<byte> payload, int field) => (long)Math.Min(ReadVarint(payload, field), long.MaxValue);

    /// <summary>Reads a repeated bool field, packed or not, because a proto3 sender may use either form.</summary>
    public static bool[] ReadFlags(ReadOnlySpan<byte> payload, int field)
    {
        List<bool> flags = [];
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> packed))
            {
                foreach (byte flag in packed)
                {
                    flags.Add(flag != 0);
                }
            }
            else if (reader.Is(field, ProtoWireType.Varint) && reader.TryReadVarint(out ulong flag))
            {
                flags.Add(flag != 0);
            }
            else
            {
                reader.TrySkip();
            }
        }

        ThrowIfMalformed(reader);
        return [.. flags];
    }

    /// <summary>Reads a repeated bytes field.</summary>
    public static CacheValue[] ReadList(ReadOnlySpan<byte> payload, int field) => ReadAll(payload, field, static (_, own) => own);

    /// <summary>Reads a dictionary's fields with their values.</summary>
    public static DictionaryField[] ReadItems(ReadOnlySpan<byte> payload, int field) =>
        ReadAll(payload, field, static (item, own) => new DictionaryField(BytesOf(item, own, 1), BytesOf(item, own, 2)));

    /// <summary>Reads a sorted set's elements with their scores.</summary>
    public static ScoredElement[] ReadElements(ReadOnlySpan<byte> payload, int field) =>
        ReadAll(payload, field, static (element, own) => new ScoredElement(BytesOf(element, own, 1), ReadDouble(element, 2)));

    /// <summary>Reads the parts of a response. Each part contains bytes or is a miss.</summary>
    public static CacheValue?[] ReadParts(ReadOnlySpan<byte> payload, int field, int resultField) =>
        ReadAll(payload, field, (part, own) => IsHit(part, resultField) ? BytesOf(part, own, 2) : (CacheValue?)null);

    /// <summary>Reads the parts of a response. Each part contains a number or is a miss.</summary>
    public static double?[] ReadScores(ReadOnlySpan<byte> payload, int field, int resultField) =>
        ReadAll(payload, field, (part, _) => IsHit(part, resultField) ? ReadDouble(part, 2) : (double?)null);

    /// <summary>Returns whether a part is a hit.</summary>
    public static bool IsHit(ReadOnlySpan<byte> part, int resultField) => ReadVarint(part, resultField) switch
    {
        Hit => true,
        Miss => false,
        _ => throw new FormatException("A part of the response is neither a hit nor a miss."),
    };

    /// <summary>Reads a message whose outcome must be the given field. Throws for any other outcome.</summary>
    public static ReadOnlySpan<byte> ReadBranch(ReadOnlySpan<byte> payload, int field) => ReadOutcome(payload, out ReadOnlySpan<byte> content) == field
        ? content
        : throw new FormatException("The response contains a different field than requested.");

    /// <summary>Reads a response that has exactly one part. Returns whether the part is a hit.</summary>
    public static bool ReadPart(ReadOnlySpan<byte> payload, out ReadOnlySpan<byte> part)
    {
        ProtoReader reader = new(payload);
        int parts = 0;
        part = default;
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited))
            {
                reader.TryReadBytes(out part);
                parts++;
            }
            else
            {
                reader.TrySkip();
            }
        }

        ThrowIfMalformed(reader);
        return parts == 1 ? IsHit(part, 1) : throw new FormatException("The response must have exactly one part.");
    }

    private static T[] ReadAll<T>(ReadOnlySpan<byte> payload, int field, Read<T> read)
    {
        List<T> items = [];
        CacheValue own = new(payload.ToArray());
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> message))
            {
                items.Add(read(message, own.Slice(reader.Position - message.Length, message.Length)));
            }
            else
            {
                reader.TrySkip();
            }
        }

        ThrowIfMalformed(reader);
        return [.. items];
    }

    // Returns the bytes of a field as a slice of own, which is a copy of the message. Returns an empty value if the field is absent.
    private static CacheValue BytesOf(ReadOnlySpan<byte> message, CacheValue own, int field)
    {
        ProtoReader reader = new(message);
        CacheValue found = default;
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> bytes))
            {
                found = own.Slice(reader.Position - bytes.Length, bytes.Length);
            }
            else
            {
                reader.TrySkip();
            }
        }

        ThrowIfMalformed(reader);
        return found;
    }
}
