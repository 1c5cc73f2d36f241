using System.Buffers;
using System.IO.Pipelines;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class RequestMessageTests
{
    private const int Limit = 1_000;

    [Fact]
    public void A_whole_message_is_found_however_it_is_cut() => Prop.ForAll<byte[], byte>((message, cut) =>
    {
        byte[] frame = Frame(message);
        ReadResult read = new(Segments.Split(frame, cut % frame.Length), isCanceled: false, isCompleted: true);
        return RequestMessage.TryParse(read, Limit, out bool isCompressed, out ReadOnlySequence<byte> payload)
            && !isCompressed
            && payload.ToArray().AsSpan().SequenceEqual(message);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Part_of_a_message_waits_for_the_rest() => Prop.ForAll<byte[], byte>((message, cut) =>
    {
        byte[] frame = Frame(message);
        ReadResult read = new(new ReadOnlySequence<byte>(frame, 0, cut % frame.Length), isCanceled: false, isCompleted: false);
        return !RequestMessage.TryParse(read, Limit, out _, out _);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_message_cut_off_is_an_error()
    {
        byte[] frame = Frame([1, 2, 3]);
        for (int length = 0; length < frame.Length; length++)
        {
            ReadResult read = new(new ReadOnlySequence<byte>(frame, 0, length), isCanceled: false, isCompleted: true);
            Assert.Equal(StatusCode.Internal, Assert.Throws<RpcException>(() => RequestMessage.TryParse(read, Limit, out _, out _)).Status.Code);
        }
    }

    [Fact]
    public void Two_messages_are_one_too_many()
    {
        ReadResult read = new(new ReadOnlySequence<byte>([.. Frame([1]), .. Frame([2])]), isCanceled: false, isCompleted: true);
        Assert.Equal(StatusCode.Internal, Assert.Throws<RpcException>(() => RequestMessage.TryParse(read, Limit, out _, out _)).Status.Code);
    }

    [Theory]
    [InlineData(Limit + 1)]
    [InlineData(1 << 30)]
    public void A_length_over_the_limit_is_refused_by_its_header_alone(int declared)
    {
        byte[] header = new byte[FrameHeader.Size];
        FrameHeader.Write(header, declared);
        ReadResult read = new(new ReadOnlySequence<byte>(header), isCanceled: false, isCompleted: false);
        RpcException error = Assert.Throws<RpcException>(() => RequestMessage.TryParse(read, Limit, out _, out _));
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
