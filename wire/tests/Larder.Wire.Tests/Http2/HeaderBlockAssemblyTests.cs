using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class HeaderBlockAssemblyTests : IDisposable
{
    private readonly HeaderBlockAssembly _assembly = new();

    public void Dispose() => _assembly.Dispose();

    [Fact]
    public void Assembly_joins_fragments_in_order_and_resets_for_next_block()
    {
        for (int stream = 1; stream <= 3; stream += 2)
        {
            Begin(stream, Http2FrameHeader.EndStream, 1, 2);
            Assert.NotEqual(0, _assembly.SinceMs);
            Assert.False(Continue(stream, 0, 3));
            Assert.False(Continue(stream, 0));
            Assert.True(Continue(stream, Http2FrameHeader.EndHeaders, 4));
            Assert.Equal(0, _assembly.SinceMs);
            Assert.True(_assembly.EndsStream);
            Assert.Equal([1, 2, 3, 4], _assembly.Block.ToArray());
        }

        Begin(5, 0);
        Assert.False(_assembly.EndsStream);
    }

    [Fact]
    public void Assembly_rejects_other_frames_within_a_block()
    {
        Check(Http2FrameType.Ping, 0);
        Begin(1, 0, 1);
        Check(Http2FrameType.Continuation, 1);
        Violation.Ends(Http2ErrorCode.ProtocolError, () => Check(Http2FrameType.Continuation, 3));
        Violation.Ends(Http2ErrorCode.ProtocolError, () => Check(Http2FrameType.Ping, 0));
        Violation.Ends(Http2ErrorCode.ProtocolError, () => Check(Http2FrameType.Headers, 1));
        Continue(1, Http2FrameHeader.EndHeaders);
        Check(Http2FrameType.Ping, 0);
    }

    [Fact]
    public void Assembly_rejects_CONTINUATION_without_HEADERS() =>
        Violation.Ends(Http2ErrorCode.ProtocolError, () => Continue(1, Http2FrameHeader.EndHeaders, 1));

    [Fact]
    public void Assembly_rejects_CONTINUATION_frames_above_limit()
    {
        Begin(1, 0);
        for (int count = 0; count < Http2Limits.Continuations; count++)
        {
            Assert.False(Continue(1, 0));
        }

        Violation.Ends(Http2ErrorCode.EnhanceYourCalm, () => Continue(1, Http2FrameHeader.EndHeaders));
    }

    [Fact]
    public void Assembly_rejects_block_above_size_limit()
    {
        byte[] most = new byte[Http2Limits.HeaderBytes];
        Begin(1, 0, most[..100]);
        Assert.True(Continue(1, Http2FrameHeader.EndHeaders, most[100..]));
        Assert.Equal(most.Length, _assembly.Block.Length);
        Begin(3, 0, most[..100]);
        Assert.False(Continue(3, 0, most[100..]));
        Violation.Ends(Http2ErrorCode.EnhanceYourCalm, () => Continue(3, 0, 1));
    }

    private void Check(Http2FrameType type, int streamId) => _assembly.CheckOrder(new Http2FrameHeader(0, type, 0, streamId));

    private void Begin(int streamId, byte flags, params byte[] piece) =>
        _assembly.Begin(new Http2FrameHeader(piece.Length, Http2FrameType.Headers, flags, streamId), piece);

    private bool Continue(int streamId, byte flags, params byte[] piece) =>
        _assembly.TryEnd(new Http2FrameHeader(piece.Length, Http2FrameType.Continuation, flags, streamId), piece);
}
