using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>
/// Encodes the fields of requests. A <c>Measure</c> method returns the length of a field in bytes, and a <c>Write</c> method writes the field.
/// </summary>
internal static partial class Field
{
    public const int Key = 1;
    public const int Value = 2;
    public const int Ttl = 3;

    public static int Measure(int field, in CacheBytes bytes) => ProtoWriter.BytesFieldLength(field, bytes.Length);

    public static void Write(ref ProtoWriter writer, int field, in CacheBytes bytes)
    {
        writer.WriteLengthPrefix(field, bytes.Length);
        bytes.CopyTo(writer.Reserve(bytes.Length));
    }

    /// <summary>Returns the encoded size of the key field, in bytes. For get, delete, itemGetTtl and similar calls, this field is the whole request.</summary>
    public static int MeasureKey(in CacheBytes key) => Measure(Key, key);

    public static int MeasureItem(in CacheBytes key, in CacheBytes value, ulong ttlMs) =>
        Measure(Key, key) + Measure(Value, value) + ProtoWriter.VarintFieldLength(Ttl, ttlMs);

    public static void WriteItem(ref ProtoWriter writer, in CacheBytes key, in CacheBytes value, ulong ttlMs)
    {
        Write(ref writer, Key, key);
        Write(ref writer, Value, value);
        writer.WriteVarintField(Ttl, ttlMs);
    }

    /// <summary>Returns the length of a field that contains a nested message. The only field of the nested message is field 1 with the given bytes.</summary>
    public static int MeasureNested(int field, in CacheBytes bytes) => ProtoWriter.BytesFieldLength(field, Measure(1, bytes));

    public static void WriteNested(ref ProtoWriter writer, int field, in CacheBytes bytes)
    {
        writer.WriteLengthPrefix(field, Measure(1, bytes));
        Write(ref writer, 1, bytes);
    }
}
