namespace Larder.Wire.Http2.Hpack;

/// <summary>Reads the integers and strings of a header block (RFC 7541, section 5).</summary>
internal ref struct HpackReader(ReadOnlySpan<byte> block)
{
    // Four bytes after the prefix contain 28 bits. This is more than the length of any block needs.
    private const int MaxShift = 21;

    private ReadOnlySpan<byte> _rest = block;

    public readonly bool IsAtEnd => _rest.IsEmpty;

    /// <summary>Returns the next byte without consuming it.</summary>
    /// <exception cref="Http2ConnectionException">The block has ended.</exception>
    public readonly byte Peek() => _rest.IsEmpty ? throw TruncatedBlock() : _rest[0];

    /// <summary>Reads an integer that begins in the low <paramref name="prefixBits"/> bits of the current byte.</summary>
    /// <exception cref="Http2ConnectionException">The integer is truncated or too large.</exception>
    public int ReadInteger(int prefixBits)
    {
        int mask = (1 << prefixBits) - 1;
        int value = Peek() & mask;
        _rest = _rest[1..];
        return value < mask ? value : ReadLongInteger(value);
    }

    /// <summary>Reads the given number of bytes.</summary>
    /// <exception cref="Http2ConnectionException">The block has fewer bytes.</exception>
    public ReadOnlySpan<byte> ReadBytes(int count)
    {
        if (count > _rest.Length)
        {
            throw TruncatedBlock();
        }

        ReadOnlySpan<byte> taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }

    private int ReadLongInteger(int value)
    {
        for (int shift = 0; shift <= MaxShift; shift += 7)
        {
            byte next = Peek();
            _rest = _rest[1..];
            value += (next & 0x7F) << shift;
            if ((next & 0x80) == 0)
            {
                return value;
            }
        }

        throw Http2ConnectionException.Compression("an HPACK integer is too large");
    }

    private static Http2ConnectionException TruncatedBlock() => Http2ConnectionException.Compression("a header block is truncated");
}
