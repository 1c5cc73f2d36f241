using System.Buffers.Binary;

namespace Larder.Wire.Http2;

/// <summary>The header of a frame, which has nine bytes (RFC 9113, section 4.1).</summary>
internal readonly record struct Http2FrameHeader(int Length, Http2FrameType Type, byte Flags, int StreamId)
{
    /// <summary>The size of a header, in bytes.</summary>
    public const int Size = 9;

    // The same bit has different meanings, depending on the type of the frame. So it has two names.
    public const byte EndStream = 0x1;
    public const byte Acknowledged = 0x1;
    public const byte EndHeaders = 0x4;
    public const byte Padded = 0x8;
    public const byte Priority = 0x20;

    // The top bit of a stream id is reserved and ignored.
    private const uint StreamIdMask = 0x7FFF_FFFF;

    public bool Has(byte flag) => (Flags & flag) != 0;

    public static Http2FrameHeader Read(ReadOnlySpan<byte> bytes)
    {
        uint lengthAndType = BinaryPrimitives.ReadUInt32BigEndian(bytes);
        int streamId = (int)(BinaryPrimitives.ReadUInt32BigEndian(bytes[5..]) & StreamIdMask);
        return new Http2FrameHeader((int)(lengthAndType >> 8), (Http2FrameType)(byte)lengthAndType, bytes[4], streamId);
    }

    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteUInt32BigEndian(destination, ((uint)Length << 8) | (byte)Type);
        destination[4] = Flags;
        BinaryPrimitives.WriteInt32BigEndian(destination[5..], StreamId);
    }
}
