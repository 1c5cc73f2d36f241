using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class FrameHeaderTests
{
    [Fact]
    public void A_header_is_found_however_the_bytes_are_cut() => Prop.ForAll<int, byte>((length, cut) =>
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
    public void Fewer_than_five_bytes_are_no_header_yet(int count) =>
        Assert.False(FrameHeader.TryRead(new ReadOnlySequence<byte>(new byte[count]), out _));

    [Fact]
    public void A_flag_that_is_neither_0_nor_1_is_refused()
    {
        RpcException error = Assert.Throws<RpcException>(() => FrameHeader.Read([2, 0, 0, 0, 0]));
        Assert.Equal(StatusCode.Internal, error.Status.Code);
    }
}
