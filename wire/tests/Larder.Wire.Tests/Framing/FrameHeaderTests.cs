using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class FrameHeaderTests
{
    [Fact]
    public void TryRead_parses_header_split_at_any_byte() => Prop.ForAll<int, byte>((length, cut) =>
    {
        int declared = length & int.MaxValue;
        byte[] bytes = new byte[FrameHeader.Size + 3];
        FrameHeader.Write(bytes, declared);
        ReadOnlySequence<byte> split = Segments.Split(bytes, cut % bytes.Length);
        return FrameHeader.TryRead(split, out FrameHeader header) && header == new FrameHeader(false, (uint)declared);
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    public void TryRead_returns_false_for_fewer_than_five_bytes(int count) =>
        Assert.False(FrameHeader.TryRead(new ReadOnlySequence<byte>(new byte[count]), out _));

    [Fact]
    public void Read_rejects_flag_other_than_0_or_1()
    {
        RpcException error = Assert.Throws<RpcException>(() => FrameHeader.Read([2, 0, 0, 0, 0]));
        Assert.Equal(StatusCode.Internal, error.Status.Code);
    }
}
