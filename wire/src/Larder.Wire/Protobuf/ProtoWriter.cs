using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Protobuf;

/// <summary>
/// Writes protobuf fields into a span that the caller has measured. Field numbers up to 15 take a tag of one byte.
/// Writing past the span throws <see cref="IndexOutOfRangeException"/> or <see cref="ArgumentException"/>: the caller measured wrong.
/// </summary>
public ref struct ProtoWriter
{
    private readonly Span<byte> _destination;
    private int _position;

    /// <summary>A writer at the start of <paramref name="destination"/>.</summary>
    public ProtoWriter(Span<byte> destination) => _destination = destination;

    /// <summary>Bytes written so far.</summary>
    public readonly int Written => _position;

    /// <summary>The length in bytes of <paramref name="value"/> as a varint: 1 to 10.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int VarintLength(ulong value) =>
        // (bits + 6) / 7 for at least one bit; 9/64 approximates 1/7 exactly enough over 1..64.
        (((64 - System.Numerics.BitOperations.LeadingZeroCount(value | 1)) * 9) + 64) / 64;

    /// <summary>The length in bytes of a length-delimited field whose content is <paramref name="length"/> bytes.</summary>
    public static int BytesFieldLength(int field, int length) =>
        TagLength(field) + VarintLength((uint)length) + length;

    /// <summary>The length in bytes of a varint field.</summary>
    public static int VarintFieldLength(int field, ulong value) => TagLength(field) + VarintLength(value);

    /// <summary>The length in bytes of a <c>double</c> field.</summary>
    public static int DoubleFieldLength(int field) => TagLength(field) + sizeof(double);

    /// <summary>The length in bytes of a field's tag.</summary>
    public static int TagLength(int field) => VarintLength((uint)field << 3);

    /// <summary>Writes a tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteTag(int field, ProtoWireType wireType) => WriteVarint(((uint)field << 3) | (uint)wireType);

    /// <summary>Writes a bare varint.</summary>
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

    /// <summary>The next <paramref name="length"/> bytes, for the caller to fill: the content of a field after its length prefix.</summary>
    public Span<byte> Reserve(int length)
    {
        Span<byte> content = _destination.Slice(_position, length);
        _position += length;
        return content;
    }

    /// <summary>Writes the tag and the length of a length-delimited field; its content follows.</summary>
    public void WriteLengthPrefix(int field, int length)
    {
        WriteTag(field, ProtoWireType.LengthDelimited);
        WriteVarint((uint)length);
    }
}
