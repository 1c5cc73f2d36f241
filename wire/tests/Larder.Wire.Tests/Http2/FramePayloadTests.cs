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
    public void Padding_is_taken_off_where_the_flag_says_that_it_is_there(byte flags, byte[] payload, byte[] data) =>
        Assert.Equal(data, FramePayload.WithoutPadding(Header(Http2FrameType.Data, payload.Length, 1, flags), payload).ToArray());

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 1 })]
    [InlineData(new byte[] { 3, 0, 0 })]
    [InlineData(new byte[] { 255, 0 })]
    public void Padding_that_fills_its_frame_and_more_is_a_breach(byte[] payload) =>
        Breach.Ends(
            Http2ErrorCode.ProtocolError,
            () => _ = FramePayload.WithoutPadding(Header(Http2FrameType.Data, payload.Length, 1, Http2FrameHeader.Padded), payload).Length);

    [Theory]
    [InlineData(0, new byte[] { 9, 9 }, new byte[] { 9, 9 })]
    [InlineData(Http2FrameHeader.Priority, new byte[] { 0, 0, 0, 0, 16, 9 }, new byte[] { 9 })]
    [InlineData(Http2FrameHeader.Priority, new byte[] { 0, 0, 0, 0, 16 }, new byte[0])]
    [InlineData(PaddedAndPriority, new byte[] { 2, 0, 0, 0, 0, 16, 9, 0, 0 }, new byte[] { 9 })]
    public void A_header_block_is_what_padding_and_priority_leave(byte flags, byte[] payload, byte[] block) =>
        Assert.Equal(block, FramePayload.HeaderBlock(Header(Http2FrameType.Headers, payload.Length, 1, flags), payload).ToArray());

    [Theory]
    [InlineData(Http2FrameHeader.Priority, new byte[] { 0, 0, 0, 0 })]
    [InlineData(PaddedAndPriority, new byte[] { 2, 0, 0, 0, 0, 0, 0 })]
    public void A_priority_that_is_cut_off_is_a_breach(byte flags, byte[] payload) =>
        Breach.Ends(
            Http2ErrorCode.FrameSizeError,
            () => _ = FramePayload.HeaderBlock(Header(Http2FrameType.Headers, payload.Length, 1, flags), payload).Length);

    [Theory]
    [InlineData(new byte[] { 0, 0, 0, 1 }, 1)]
    [InlineData(new byte[] { 0x7F, 255, 255, 255 }, int.MaxValue)]
    [InlineData(new byte[] { 0x80, 0, 1, 0 }, 256)]
    public void A_window_s_increment_has_31_bits(byte[] payload, int increment) =>
        Assert.Equal(increment, FramePayload.WindowIncrement(Header(Http2FrameType.WindowUpdate, payload.Length, 1), payload));

    [Theory]
    [InlineData(new byte[] { 0, 0, 0, 0 }, Http2ErrorCode.ProtocolError)]
    [InlineData(new byte[] { 0x80, 0, 0, 0 }, Http2ErrorCode.ProtocolError)]
    [InlineData(new byte[] { 0, 0, 1 }, Http2ErrorCode.FrameSizeError)]
    [InlineData(new byte[] { 0, 0, 0, 0, 1 }, Http2ErrorCode.FrameSizeError)]
    internal void An_increment_of_nothing_to_the_connection_and_one_of_another_length_are_breaches(byte[] payload, Http2ErrorCode code) =>
        Breach.Ends(code, () => FramePayload.WindowIncrement(Header(Http2FrameType.WindowUpdate, payload.Length, 0), payload));

    [Fact]
    public void A_reset_says_why_in_four_bytes()
    {
        Assert.Equal(8u, FramePayload.ErrorCode(Header(Http2FrameType.ResetStream, 4, 1), [0, 0, 0, 8]));
        Breach.Ends(Http2ErrorCode.FrameSizeError, () => FramePayload.ErrorCode(Header(Http2FrameType.ResetStream, 3, 1), [0, 0, 8]));
    }

    [Fact]
    public void A_ping_is_eight_bytes_of_the_connection()
    {
        FramePayload.CheckPing(Header(Http2FrameType.Ping, 8, 0));
        Breach.Ends(Http2ErrorCode.FrameSizeError, () => FramePayload.CheckPing(Header(Http2FrameType.Ping, 7, 0)));
        Breach.Ends(Http2ErrorCode.ProtocolError, () => FramePayload.CheckPing(Header(Http2FrameType.Ping, 8, 3)));
    }

    private static Http2FrameHeader Header(Http2FrameType type, int length, int streamId, byte flags = 0) => new(length, type, flags, streamId);
}
