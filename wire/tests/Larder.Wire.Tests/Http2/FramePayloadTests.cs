using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class FramePayloadTests
{
    private const byte PaddedAndPriority = Http2FrameHeader.Padded | Http2FrameHeader.Priority;

    [Theory]
    [InlineData(0, new byte[] { 2, 7, 8 }, new byte[] { 2, 7, 8 })]
    [InlineData(Http2FrameHeader.Padded, new byte[] { 0, 7, 8 }, new byte[] { 7, 8 })]
    [InlineData(Http2FrameHeader.Padded, new byte[] { 1, 7, 0 }, new byte[] { 7 })]
    [InlineData(Http2FrameHeader.Padded, new byte[] { 2, 0, 0 }, new byte[0])]
    public void WithoutPadding_removes_padding_only_if_flag_is_set(byte flags, byte[] payload, byte[] data) =>
        Assert.Equal(data, FramePayload.WithoutPadding(Header(Http2FrameType.Data, payload.Length, 1, flags), payload).ToArray());

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 1 })]
    [InlineData(new byte[] { 3, 0, 0 })]
    [InlineData(new byte[] { 255, 0 })]
    public void WithoutPadding_rejects_padding_longer_than_frame(byte[] payload) =>
        Violation.Ends(
            Http2ErrorCode.ProtocolError,
            () => _ = FramePayload.WithoutPadding(Header(Http2FrameType.Data, payload.Length, 1, Http2FrameHeader.Padded), payload).Length);

    [Theory]
    [InlineData(0, new byte[] { 9, 9 }, new byte[] { 9, 9 })]
    [InlineData(Http2FrameHeader.Priority, new byte[] { 0, 0, 0, 0, 16, 9 }, new byte[] { 9 })]
    [InlineData(Http2FrameHeader.Priority, new byte[] { 0, 0, 0, 0, 16 }, new byte[0])]
    [InlineData(PaddedAndPriority, new byte[] { 2, 0, 0, 0, 0, 16, 9, 0, 0 }, new byte[] { 9 })]
    public void HeaderBlock_removes_padding_and_priority(byte flags, byte[] payload, byte[] block) =>
        Assert.Equal(block, FramePayload.HeaderBlock(Header(Http2FrameType.Headers, payload.Length, 1, flags), payload).ToArray());

    [Theory]
    [InlineData(Http2FrameHeader.Priority, new byte[] { 0, 0, 0, 0 })]
    [InlineData(PaddedAndPriority, new byte[] { 2, 0, 0, 0, 0, 0, 0 })]
    public void HeaderBlock_rejects_truncated_priority(byte flags, byte[] payload) =>
        Violation.Ends(
            Http2ErrorCode.FrameSizeError,
            () => _ = FramePayload.HeaderBlock(Header(Http2FrameType.Headers, payload.Length, 1, flags), payload).Length);

    [Theory]
    [InlineData(new byte[] { 0, 0, 0, 1 }, 1)]
    [InlineData(new byte[] { 0x7F, 255, 255, 255 }, int.MaxValue)]
    [InlineData(new byte[] { 0x80, 0, 1, 0 }, 256)]
    public void WindowIncrement_reads_31_bits(byte[] payload, int increment) =>
        Assert.Equal(increment, FramePayload.WindowIncrement(Header(Http2FrameType.WindowUpdate, payload.Length, 1), payload));

    [Theory]
    [InlineData(new byte[] { 0, 0, 0, 0 }, Http2ErrorCode.ProtocolError)]
    [InlineData(new byte[] { 0x80, 0, 0, 0 }, Http2ErrorCode.ProtocolError)]
    [InlineData(new byte[] { 0, 0, 1 }, Http2ErrorCode.FrameSizeError)]
    [InlineData(new byte[] { 0, 0, 0, 0, 1 }, Http2ErrorCode.FrameSizeError)]
    internal void WindowIncrement_rejects_zero_increment_and_wrong_length(byte[] payload, Http2ErrorCode code) =>
        Violation.Ends(code, () => FramePayload.WindowIncrement(Header(Http2FrameType.WindowUpdate, payload.Length, 0), payload));

    [Fact]
    public void ErrorCode_reads_four_bytes()
    {
        Assert.Equal(8u, FramePayload.ErrorCode(Header(Http2FrameType.ResetStream, 4, 1), [0, 0, 0, 8]));
        Violation.Ends(Http2ErrorCode.FrameSizeError, () => FramePayload.ErrorCode(Header(Http2FrameType.ResetStream, 3, 1), [0, 0, 8]));
    }

    [Fact]
    public void CheckPing_requires_eight_bytes_on_stream_0()
    {
        FramePayload.CheckPing(Header(Http2FrameType.Ping, 8, 0));
        Violation.Ends(Http2ErrorCode.FrameSizeError, () => FramePayload.CheckPing(Header(Http2FrameType.Ping, 7, 0)));
        Violation.Ends(Http2ErrorCode.ProtocolError, () => FramePayload.CheckPing(Header(Http2FrameType.Ping, 8, 3)));
    }

    private static Http2FrameHeader Header(Http2FrameType type, int length, int streamId, byte flags = 0) => new(length, type, flags, streamId);
}
