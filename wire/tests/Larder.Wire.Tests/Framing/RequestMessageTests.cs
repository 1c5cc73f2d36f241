using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class RequestMessageTests
{
    private const int Limit = 1_000;

    [Fact]
    public void Parse_returns_complete_message() =>
        Prop.ForAll<byte[]>(message =>
                RequestMessage.Parse(Frame(message), Limit, out bool isCompressed).ToArray().AsSpan().SequenceEqual(message) && !isCompressed)
            .QuickCheckThrowOnFailure();

    [Fact]
    public void CheckArriving_accepts_any_incomplete_message() => Prop.ForAll<byte[], byte>((message, cut) =>
        RequestMessage.CheckArriving(Frame(message).AsSpan(0, cut % (FrameHeader.Size + message.Length)), Limit)).QuickCheckThrowOnFailure();

    [Fact]
    public void Parse_rejects_truncated_message()
    {
        byte[] frame = Frame([1, 2, 3]);
        for (int length = 0; length < frame.Length; length++)
        {
            ReadOnlyMemory<byte> body = frame.AsMemory(0, length);
            Assert.Equal(StatusCode.Internal, Assert.Throws<RpcException>(() => RequestMessage.Parse(body, Limit, out _)).Status.Code);
        }
    }

    [Fact]
    public void Second_message_in_request_is_rejected()
    {
        byte[] body = [.. Frame([1]), .. Frame([2])];
        Assert.Equal(StatusCode.Internal, Assert.Throws<RpcException>(() => RequestMessage.Parse(body, Limit, out _)).Status.Code);
        Assert.Equal(StatusCode.Internal, Assert.Throws<RpcException>(() => RequestMessage.CheckArriving(body, Limit)).Status.Code);
    }

    [Theory]
    [InlineData(Limit + 1)]
    [InlineData(1 << 30)]
    public void CheckArriving_rejects_declared_length_above_limit(int declared)
    {
        byte[] header = new byte[FrameHeader.Size];
        FrameHeader.Write(header, declared);
        RpcException error = Assert.Throws<RpcException>(() => RequestMessage.CheckArriving(header, Limit));
        Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
        Assert.Contains("request limit of 1000 bytes", error.Status.Message, StringComparison.Ordinal);
    }

    private static byte[] Frame(byte[] message)
    {
        byte[] frame = new byte[FrameHeader.Size + message.Length];
        FrameHeader.Write(frame, message.Length);
        message.CopyTo(frame, FrameHeader.Size);
        return frame;
    }
}
