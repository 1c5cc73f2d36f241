using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Protobuf;

/// <summary>
/// Reads the fields of one protobuf message directly from a span, without message objects and without copying. If the message is malformed, the read methods
/// return <see langword="false"/>, and <see cref="IsMalformed"/> is set.
/// </summary>
public ref struct ProtoReader
{
    // A varint contains 7 bits per byte, so 64 bits need at most 10 bytes.
    private const int MaxVarintBytes = 10;

    private readonly ReadOnlySpan<byte> _message;
    private int _position;
    private uint _tag;

    /// <summary>Creates a reader at the start of <paramref name="message"/>.</summary>
    public ProtoReader(ReadOnlySpan<byte> message) => _message = message;

    /// <summary>Gets whether a read encountered bytes that are not valid protobuf.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>Gets the number of bytes read so far. Another reader of the same message can continue at this position.</summary>
    public readonly int Position => _position;

    /// <summary>Gets the field number of the last tag read.</summary>
    public readonly int Field => (int)(_tag >> 3);

    /// <summary>Gets the wire type of the last tag read, which determines how the value is encoded.</summary>
    public readonly ProtoWireType WireType => (ProtoWireType)(_tag & 7);

    /// <summary>Reads the next tag. Returns false at the end of the message, or if the bytes are malformed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool NextField()
    {
        if (_position >= _message.Length)
        {
            return false;
        }

        byte first = _message[_position];
        if (first < 0x80)
        {
            _position++;
            _tag = first;
        }
        else if (!TryReadLongTag())
        {
            return false;
        }

        return _tag >> 3 != 0 || Malformed();
    }

    /// <summary>Reads an unsigned varint of up to 64 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadVarint(out ulong value)
    {
        if (_position < _message.Length && _message[_position] < 0x80)
        {
            value = _message[_position++];
            return true;
        }

        return TryReadLongVarint(out value);
    }

    /// <summary>Reads the value of a length-delimited field: bytes, a string or a nested message. The value is a span of the message, not a copy.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadBytes(out ReadOnlySpan<byte> bytes)
    {
        if (!TryReadVarint(out ulong length) || length > (ulong)(_message.Length - _position))
        {
            bytes = default;
            return Malformed();
        }

        bytes = _message.Slice(_position, (int)length);
        _position += (int)length;
        return true;
    }

    /// <summary>Reads a <c>sint32</c>: a varint whose lowest bit is the sign. Bits above the 32nd are discarded, as protobuf requires.</summary>
    public bool TryReadSInt32(out int value)
    {
        bool read = TryReadVarint(out ulong folded);
        value = (int)((uint)folded >> 1) ^ -(int)(folded & 1);
        return read;
    }

    /// <summary>Reads a <c>double</c>: eight bytes, little-endian.</summary>
    public bool TryReadDouble(out double value)
    {
        int start = _position;
        bool read = TryAdvance(sizeof(double));
        value = read ? BinaryPrimitives.ReadDoubleLittleEndian(_message[start..]) : 0;
        return read;
    }

    /// <summary>Reads a <c>float</c>: four bytes, little-endian.</summary>
    public bool TryReadFloat(out float value)
    {
        int start = _position;
        bool read = TryAdvance(sizeof(float));
        value = read ? BinaryPrimitives.ReadSingleLittleEndian(_message[start..]) : 0;
        return read;
    }

    /// <summary>Skips the value of the last tag read, as proto3 requires for unknown fields.</summary>
    public bool TrySkip() => WireType switch
    {
        ProtoWireType.Varint => TryReadVarint(out _),
        ProtoWireType.Fixed64 => TryAdvance(8),
        ProtoWireType.LengthDelimited => TryReadBytes(out _),
        ProtoWireType.Fixed32 => TryAdvance(4),
        // Groups were removed from the language before proto3, and Larder's messages have never used them.
        _ => Malformed(),
    };

    /// <summary>
    /// Returns whether the last tag read has the given field number and wire type. If a known field has an unexpected wire type, the caller must skip it like
    /// an unknown field.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Is(int field, ProtoWireType wireType) => _tag == (uint)((field << 3) | (int)wireType);

    private bool TryAdvance(int count)
    {
        if (_message.Length - _position < count)
        {
            return Malformed();
        }

        _position += count;
        return true;
    }

    private bool TryReadLongTag()
    {
        if (!TryReadLongVarint(out ulong tag) || tag > uint.MaxValue)
        {
            return Malformed();
        }

        _tag = (uint)tag;
        return true;
    }

    private bool TryReadLongVarint(out ulong value)
    {
        value = 0;
        for (int index = 0; index < MaxVarintBytes && _position < _message.Length; index++)
        {
            byte next = _message[_position++];
            value |= (ulong)(next & 0x7F) << (7 * index);
            if (next < 0x80)
            {
                return true;
            }
        }

        return Malformed();
    }

    private bool Malformed()
    {
        IsMalformed = true;
        return false;
    }
}
