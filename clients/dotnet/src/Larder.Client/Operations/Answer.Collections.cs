using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <content>
/// What the answers of collections are made of. The bytes of one answer's elements share one array, so that an answer of many small ones is few objects.
/// </content>
internal static partial class Answer
{
    // CacheResult of cache.proto.
    private const ulong Hit = 2;
    private const ulong Miss = 3;

    private delegate T Read<T>(ReadOnlySpan<byte> message, ReadOnlyMemory<byte> own);

    /// <summary>Reads a double; 0 where the field is absent.</summary>
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

    /// <summary>Reads a number that an <see cref="int"/> holds; a larger one, which no collection has room for, is the largest.</summary>
    public static int ReadInt(ReadOnlySpan<byte> payload, int field) => (int)Math.Min(ReadVarint(payload, field), int.MaxValue);

    /// <summary>Reads a number that a <see cref="long"/> holds; a larger one is the largest.</summary>
    public static long ReadLong(ReadOnlySpan<byte> payload, int field) => (long)Math.Min(ReadVarint(payload, field), long.MaxValue);

    /// <summary>Reads a repeated bool, packed or not: proto3 lets a sender do either.</summary>
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

    /// <summary>Reads a repeated bytes.</summary>
    public static ReadOnlyMemory<byte>[] ReadList(ReadOnlySpan<byte> payload, int field) => ReadAll(payload, field, static (_, own) => own);

    /// <summary>Reads a dictionary's fields with their values.</summary>
    public static DictionaryField[] ReadItems(ReadOnlySpan<byte> payload, int field) =>
        ReadAll(payload, field, static (item, own) => new DictionaryField(BytesOf(item, own, 1), BytesOf(item, own, 2)));

    /// <summary>Reads a sorted set's elements with their scores.</summary>
    public static ScoredElement[] ReadElements(ReadOnlySpan<byte> payload, int field) =>
        ReadAll(payload, field, static (element, own) => new ScoredElement(BytesOf(element, own, 1), ReadDouble(element, 2)));

    /// <summary>Reads parts that each have bytes or miss them.</summary>
    public static ReadOnlyMemory<byte>?[] ReadParts(ReadOnlySpan<byte> payload, int field, int resultField) =>
        ReadAll(payload, field, (part, own) => IsHit(part, resultField) ? BytesOf(part, own, 2) : (ReadOnlyMemory<byte>?)null);

    /// <summary>Reads parts that each have a number or miss it.</summary>
    public static double?[] ReadScores(ReadOnlySpan<byte> payload, int field, int resultField) =>
        ReadAll(payload, field, (part, _) => IsHit(part, resultField) ? ReadDouble(part, 2) : (double?)null);

    /// <summary>Whether a part has what it is for.</summary>
    public static bool IsHit(ReadOnlySpan<byte> part, int resultField) => ReadVarint(part, resultField) switch
    {
        Hit => true,
        Miss => false,
        _ => throw new FormatException("A part of the answer is neither a hit nor a miss."),
    };

    /// <summary>Reads a message whose outcome is one known field; another one is an answer to some other question.</summary>
    public static ReadOnlySpan<byte> ReadBranch(ReadOnlySpan<byte> payload, int field) => ReadOutcome(payload, out ReadOnlySpan<byte> content) == field
        ? content
        : throw new FormatException("The answer is not of the form that was asked for.");

    /// <summary>Reads the one part of an answer on one: whether it is a hit, and the part.</summary>
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
        return parts == 1 ? IsHit(part, 1) : throw new FormatException("The answer has not one part for the one that was asked for.");
    }

    private static T[] ReadAll<T>(ReadOnlySpan<byte> payload, int field, Read<T> read)
    {
        List<T> items = [];
        byte[] own = payload.ToArray();
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            if (reader.Is(field, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> message))
            {
                items.Add(read(message, own.AsMemory(reader.Position - message.Length, message.Length)));
            }
            else
            {
                reader.TrySkip();
            }
        }

        ThrowIfMalformed(reader);
        return [.. items];
    }

    // The bytes of a field of a message, within our own copy of it; empty where the field is absent.
    private static ReadOnlyMemory<byte> BytesOf(ReadOnlySpan<byte> message, ReadOnlyMemory<byte> own, int field)
    {
        ProtoReader reader = new(message);
        ReadOnlyMemory<byte> found = default;
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
