using System.Buffers.Binary;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <content>Encodes the fields of collection requests, such as lists and optional values.</content>
internal static partial class Field
{
    // The length of a bool, an enum value of one byte or an empty message: a tag byte and a content byte.
    private const int Short = 2;

    public static int Measure(int field, CacheBytes[] list)
    {
        int length = 0;
        foreach (ref readonly CacheBytes bytes in list.AsSpan())
        {
            length += Measure(field, bytes);
        }

        return length;
    }

    public static void Write(ref ProtoWriter writer, int field, CacheBytes[] list)
    {
        foreach (ref readonly CacheBytes bytes in list.AsSpan())
        {
            Write(ref writer, field, bytes);
        }
    }

    public static int Measure(int field, DictionaryItem[] list)
    {
        int length = 0;
        foreach (ref readonly DictionaryItem item in list.AsSpan())
        {
            length += Measure(field, item);
        }

        return length;
    }

    public static int Measure(int field, in DictionaryItem item) => ProtoWriter.BytesFieldLength(field, LengthOf(item));

    public static void Write(ref ProtoWriter writer, int field, DictionaryItem[] list)
    {
        foreach (ref readonly DictionaryItem item in list.AsSpan())
        {
            Write(ref writer, field, item);
        }
    }

    public static void Write(ref ProtoWriter writer, int field, in DictionaryItem item)
    {
        writer.WriteLengthPrefix(field, LengthOf(item));
        Write(ref writer, 1, item.Field);
        Write(ref writer, 2, item.Value);
    }

    public static int Measure(int field, SortedSetElement[] list)
    {
        int length = 0;
        foreach (ref readonly SortedSetElement element in list.AsSpan())
        {
            length += Measure(field, element);
        }

        return length;
    }

    public static int Measure(int field, in SortedSetElement element) => ProtoWriter.BytesFieldLength(field, LengthOf(element));

    public static void Write(ref ProtoWriter writer, int field, SortedSetElement[] list)
    {
        foreach (ref readonly SortedSetElement element in list.AsSpan())
        {
            Write(ref writer, field, element);
        }
    }

    public static void Write(ref ProtoWriter writer, int field, in SortedSetElement element)
    {
        writer.WriteLengthPrefix(field, LengthOf(element));
        Write(ref writer, 1, element.Value);
        writer.WriteDoubleField(2, element.Score);
    }

    public static int Measure(int field, ListRange[] list)
    {
        int length = 0;
        foreach (ListRange range in list)
        {
            length += ProtoWriter.BytesFieldLength(field, LengthOf(range));
        }

        return length;
    }

    public static void Write(ref ProtoWriter writer, int field, ListRange[] list)
    {
        foreach (ListRange range in list)
        {
            writer.WriteLengthPrefix(field, LengthOf(range));
            writer.WriteVarintField(1, (ulong)range.Begin);
            writer.WriteVarintField(2, (ulong)range.Count);
        }
    }

    public static int Measure(int field, SortedSetSource[] list)
    {
        int length = 0;
        foreach (ref readonly SortedSetSource source in list.AsSpan())
        {
            length += ProtoWriter.BytesFieldLength(field, LengthOf(source));
        }

        return length;
    }

    public static void Write(ref ProtoWriter writer, int field, SortedSetSource[] list)
    {
        foreach (ref readonly SortedSetSource source in list.AsSpan())
        {
            writer.WriteLengthPrefix(field, LengthOf(source));
            Write(ref writer, 1, source.Name);
            writer.WriteTag(2, ProtoWireType.Fixed32);
            BinaryPrimitives.WriteSingleLittleEndian(writer.Reserve(sizeof(float)), source.Weight);
        }
    }

    /// <summary>
    /// Returns the encoded length of a time to live. The time is one field. A flag is written as a second field, but only if the time also applies to an
    /// existing collection.
    /// </summary>
    public static int MeasureTtl(int field, WireTtl ttl) => ProtoWriter.VarintFieldLength(field, ttl.Milliseconds) + (ttl.Refreshes ? Short : 0);

    public static void WriteTtl(ref ProtoWriter writer, int field, int refreshField, WireTtl ttl)
    {
        writer.WriteVarintField(field, ttl.Milliseconds);
        if (ttl.Refreshes)
        {
            writer.WriteVarintField(refreshField, 1);
        }
    }

    public static int MeasureSigned(int field, int value) => ProtoWriter.VarintFieldLength(field, Fold(value));

    public static void WriteSigned(ref ProtoWriter writer, int field, int value) => writer.WriteVarintField(field, Fold(value));

    /// <summary>
    /// Returns the encoded length of one end of a range of indices. If <paramref name="index"/> is null, it is encoded as an empty message, which means
    /// "unbounded".
    /// </summary>
    public static int MeasureIndex(int field, int? index) => index is { } given ? MeasureSigned(field, given) : Short;

    public static void WriteIndex(ref ProtoWriter writer, int field, int unboundedField, int? index)
    {
        if (index is { } given)
        {
            WriteSigned(ref writer, field, given);
        }
        else
        {
            writer.WriteLengthPrefix(unboundedField, 0);
        }
    }

    /// <summary>
    /// Returns the encoded length of one end of a range of scores. The end is encoded as a message. If <paramref name="bound"/> is null, the message is empty,
    /// which means "unbounded".
    /// </summary>
    public static int MeasureBound(int field, ScoreBound? bound) => bound is { } given ? ProtoWriter.BytesFieldLength(field, LengthOf(given)) : Short;

    public static void WriteBound(ref ProtoWriter writer, int field, int unboundedField, ScoreBound? bound)
    {
        if (bound is not { } given)
        {
            writer.WriteLengthPrefix(unboundedField, 0);
            return;
        }

        writer.WriteLengthPrefix(field, LengthOf(given));
        writer.WriteDoubleField(1, given.Score);
        if (given.IsExclusive)
        {
            writer.WriteVarintField(2, 1);
        }
    }

    /// <summary>
    /// Returns the encoded length of one end of a range of scores. The end is encoded as a number, with separate fields for inclusive and exclusive ends. If
    /// <paramref name="bound"/> is null, the end is encoded as an empty message, which means "unbounded".
    /// </summary>
    public static int MeasureScore(int field, ScoreBound? bound) => bound is null ? Short : ProtoWriter.DoubleFieldLength(field);

    public static void WriteScore(ref ProtoWriter writer, int field, int exclusiveField, int unboundedField, ScoreBound? bound)
    {
        if (bound is { } given)
        {
            writer.WriteDoubleField(given.IsExclusive ? exclusiveField : field, given.Score);
        }
        else
        {
            writer.WriteLengthPrefix(unboundedField, 0);
        }
    }

    // Encodes a sint32 with the zigzag encoding, in which the lowest bit is the sign.
    private static ulong Fold(int value) => (uint)((value << 1) ^ (value >> 31));

    private static int LengthOf(in DictionaryItem item) => Measure(1, item.Field) + Measure(2, item.Value);

    private static int LengthOf(in SortedSetElement element) => Measure(1, element.Value) + ProtoWriter.DoubleFieldLength(2);

    private static int LengthOf(ListRange range) =>
        ProtoWriter.VarintFieldLength(1, (ulong)range.Begin) + ProtoWriter.VarintFieldLength(2, (ulong)range.Count);

    private static int LengthOf(in SortedSetSource source) => Measure(1, source.Name) + ProtoWriter.TagLength(2) + sizeof(float);

    private static int LengthOf(ScoreBound bound) => ProtoWriter.DoubleFieldLength(1) + (bound.IsExclusive ? Short : 0);
}
