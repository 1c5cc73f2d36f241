using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Protobuf;

/// <summary>
/// Writes protobuf fields into a span whose size the caller has computed. Field numbers up to 15 have a one-byte tag. Writing past the end of the span throws
/// <see cref="IndexOutOfRangeException"/> or <see cref="ArgumentException"/>. Such an exception means that the caller computed the size incorrectly.
/// </summary>
public ref struct ProtoWriter
{
    private readonly Span<byte> _destination;
    private int _position;

    /// <summary>Creates a writer at the start of <paramref name="destination"/>.</summary>
    public ProtoWriter(Span<byte> destination) => _destination = destination;

    /// <summary>Gets the number of bytes written so far.</summary>
    public readonly int Written => _position;

    /// <summary>Returns the length of <paramref name="value"/> as a varint, which is 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int VarintLength(ulong value) =>
        // This computes (bits + 6) / 7, for at least one bit. The factor 9/64 approximates 1/7 closely enough for 1 to 64 bits.
        (((64 - System.Numerics.BitOperations.LeadingZeroCount(value | 1)) * 9) + 64) / 64;

    /// <summary>Returns the length, in bytes, of a length-delimited field whose content has <paramref name="length"/> bytes.</summary>
    public static int BytesFieldLength(int field, int length) =>
        TagLength(field) + VarintLength((uint)length) + length;

    /// <summary>Returns the length of a varint field, in bytes.</summary>
    public static int VarintFieldLength(int field, ulong value) => TagLength(field) + VarintLength(value);

    /// <summary>Returns the length of a <c>double</c> field, in bytes.</summary>
    public static int DoubleFieldLength(int field) => TagLength(field) + sizeof(double);

    /// <summary>Returns the length of a field's tag, in bytes.</summary>
    public static int TagLength(int field) => VarintLength((uint)field << 3);

    /// <summary>Writes a tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteTag(int field, ProtoWireType wireType) => WriteVarint(((uint)field << 3) | (uint)wireType);

    /// <summary>Writes a varint without a tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteVarint(ulong value)
    {
        while (value >= 0x80)
        {
            _destination[_position++] = (byte)(value | 0x80);
            value >>= 7;
        }

        _destination[_position++] = (byte)value;
    }

    /// <summary>Writes a varint field.</summary>
    public void WriteVarintField(int field, ulong value)
    {
        WriteTag(field, ProtoWireType.Varint);
        WriteVarint(value);
    }

    /// <summary>Writes a <c>double</c> field.</summary>
    public void WriteDoubleField(int field, double value)
    {
        WriteTag(field, ProtoWireType.Fixed64);
        BinaryPrimitives.WriteDoubleLittleEndian(Reserve(sizeof(double)), value);
    }

    /// <summary>Writes a length-delimited field.</summary>
    public void WriteBytesField(int field, scoped ReadOnlySpan<byte> content)
    {
        WriteLengthPrefix(field, content.Length);
        content.CopyTo(_destination[_position..]);
        _position += content.Length;
    }

    /// <summary>
    /// Reserves the next <paramref name="length"/> bytes for the content of a field, and returns them. The caller must have written the field's length prefix,
    /// and must then fill the returned bytes.
    /// </summary>
    public Span<byte> Reserve(int length)
    {
        Span<byte> content = _destination.Slice(_position, length);
        _position += length;
        return content;
    }

    /// <summary>Writes the tag and the length of a length-delimited field. The content must follow.</summary>
    public void WriteLengthPrefix(int field, int length)
    {
        WriteTag(field, ProtoWireType.LengthDelimited);
        WriteVarint((uint)length);
    }
}
