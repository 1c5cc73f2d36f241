using Larder.Wire.Protobuf;

namespace Larder.Wire.Tests.Protobuf;

public sealed class ProtoReaderTests
{
    [Theory]
    [InlineData(0.0)]
    [InlineData(1.5)]
    [InlineData(-1e300)]
    [InlineData(double.Epsilon)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NegativeInfinity)]
    public void TryReadDouble_round_trips_every_bit(double value)
    {
        ReadsBack(value);
        ReadsBack(-value);
    }

    [Fact]
    public void TryReadFloat_reads_little_endian_bytes()
    {
        // The message is field 2 with the value 0.5f.
        ProtoReader reader = new([0x15, 0x00, 0x00, 0x00, 0x3F]);
        Assert.True(reader.NextField());
        Assert.True(reader.Is(2, ProtoWireType.Fixed32));
        Assert.True(reader.TryReadFloat(out float read));
        Assert.Equal(0.5f, read);
    }

    [Theory]
    [InlineData(0, new byte[] { 0x00 })]
    [InlineData(-1, new byte[] { 0x01 })]
    [InlineData(1, new byte[] { 0x02 })]
    [InlineData(-2, new byte[] { 0x03 })]
    [InlineData(300, new byte[] { 0xD8, 0x04 })]
    [InlineData(int.MaxValue, new byte[] { 0xFE, 0xFF, 0xFF, 0xFF, 0x0F })]
    [InlineData(int.MinValue, new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0x0F })]
    public void TryReadSInt32_decodes_zigzag(int value, byte[] encoded)
    {
        ProtoReader reader = new([0x08, .. encoded]);
        Assert.True(reader.NextField());
        Assert.True(reader.TryReadSInt32(out int read));
        Assert.Equal(value, read);
    }

    [Theory]
    [InlineData(ProtoWireType.Fixed64, 7)]
    [InlineData(ProtoWireType.Fixed32, 3)]
    [InlineData(ProtoWireType.Fixed64, 0)]
    [InlineData(ProtoWireType.Fixed32, 0)]
    public void Truncated_fixed_size_number_is_malformed(ProtoWireType type, int length)
    {
        ProtoReader reader = new([(byte)(8 | (int)type), .. new byte[length]]);
        Assert.True(reader.NextField());
        Assert.False(type == ProtoWireType.Fixed64 ? reader.TryReadDouble(out _) : reader.TryReadFloat(out _));
        Assert.True(reader.IsMalformed);
    }

    [Fact]
    public void Truncated_sint32_is_malformed()
    {
        ProtoReader reader = new([0x08, 0x80]);
        Assert.True(reader.NextField());
        Assert.False(reader.TryReadSInt32(out _));
        Assert.True(reader.IsMalformed);
    }

    [Fact]
    public void Number_with_unexpected_wire_type_is_skipped()
    {
        // Field 1 as a varint, as four bytes and as a string, followed by field 1 as a double with the value 1.
        ProtoReader reader = new([0x08, 0x96, 0x01, 0x0D, 1, 2, 3, 4, 0x0A, 0x01, 0xFF, 0x09, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]);
        double read = 0;
        while (reader.NextField())
        {
            Assert.True(reader.Is(1, ProtoWireType.Fixed64) ? reader.TryReadDouble(out read) : reader.TrySkip());
        }

        Assert.Equal(1.0, read);
        Assert.False(reader.IsMalformed);
    }

    private static void ReadsBack(double value)
    {
        Span<byte> message = stackalloc byte[ProtoWriter.DoubleFieldLength(3)];
        ProtoWriter writer = new(message);
        writer.WriteDoubleField(3, value);
        Assert.Equal(message.Length, writer.Written);

        ProtoReader reader = new(message);
        Assert.True(reader.NextField());
        Assert.True(reader.Is(3, ProtoWireType.Fixed64));
        Assert.True(reader.TryReadDouble(out double read));
        Assert.Equal(BitConverter.DoubleToInt64Bits(value), BitConverter.DoubleToInt64Bits(read));
        Assert.False(reader.NextField());
        Assert.False(reader.IsMalformed);
    }
}
