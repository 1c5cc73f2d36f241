using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Protobuf;

/// <summary>
/// Reads the fields of one protobuf message straight from a span, without message objects.
/// Nothing is copied; a malformed message makes a read return <see langword="false"/> and sets <see cref="IsMalformed"/>.
/// </summary>
public ref struct ProtoReader
{
    // A varint carries 7 bits a byte: 64 bits take at most 10 bytes.
    private const int MaxVarintBytes = 10;

    private readonly ReadOnlySpan<byte> _message;
    private int _position;
    private uint _tag;

    /// <summary>A reader at the start of <paramref name="message"/>.</summary>
    public ProtoReader(ReadOnlySpan<byte> message) => _message = message;

    /// <summary>True once a read met bytes that are no protobuf message.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>The bytes read so far: where a later reader of the same message may go on.</summary>
    public readonly int Position => _position;

    /// <summary>The field number of the tag last read.</summary>
    public readonly int Field => (int)(_tag >> 3);

    /// <summary>The wire type of the tag last read: how the field's value is laid out.</summary>
    public readonly ProtoWireType WireType => (ProtoWireType)(_tag & 7);

    /// <summary>Reads the next tag; false at the end of the message and on malformed bytes.</summary>
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

    /// <summary>Reads a length-delimited field: bytes, a string or a nested message. The span points into the message.</summary>
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

    /// <summary>Reads a <c>sint32</c>: a varint whose lowest bit is the sign. Bits above the 32nd are dropped, as protobuf drops them.</summary>
    public bool TryReadSInt32(out int value)
    {
        bool read = TryReadVarint(out ulong folded);
        value = (int)((uint)folded >> 1) ^ -(int)(folded & 1);
        return read;
    }

    /// <summary>Reads a <c>double</c>: eight bytes, the lowest first.</summary>
    public bool TryReadDouble(out double value)
    {
        int start = _position;
        bool read = TryAdvance(sizeof(double));
        value = read ? BinaryPrimitives.ReadDoubleLittleEndian(_message[start..]) : 0;
        return read;
    }

    /// <summary>Reads a <c>float</c>: four bytes, the lowest first.</summary>
    public bool TryReadFloat(out float value)
    {
        int start = _position;
        bool read = TryAdvance(sizeof(float));
        value = read ? BinaryPrimitives.ReadSingleLittleEndian(_message[start..]) : 0;
        return read;
    }

    /// <summary>Passes over the value of the tag last read, as proto3 does with an unknown field.</summary>
    public bool TrySkip() => WireType switch
    {
        ProtoWireType.Varint => TryReadVarint(out _),
        ProtoWireType.Fixed64 => TryAdvance(8),
        ProtoWireType.LengthDelimited => TryReadBytes(out _),
        ProtoWireType.Fixed32 => TryAdvance(4),
        // Groups left the language before proto3; no message of ours has ever had one.
        _ => Malformed(),
    };

    /// <summary>True where the tag last read is this field with this wire type; a known number with another type is skipped as unknown.</summary>
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
