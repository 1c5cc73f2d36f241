using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class MessageEncodingTests
{
    private const int Limit = 100_000;

    [Fact]
    public void Inflate_restores_gzip_message() => Prop.ForAll<byte[]>(message =>
    {
        using PooledBuffer inflated = MessageEncoding.Inflate(new ReadOnlySequence<byte>(GzipBytes.Of(message)), Limit);
        return inflated.WrittenSpan.SequenceEqual(message);
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData(Limit, true)]
    [InlineData(Limit + 1, false)]
    public void Inflate_rejects_message_above_size_limit(int length, bool fits)
    {
        ReadOnlySequence<byte> compressed = new(GzipBytes.Of(new byte[length]));
        if (fits)
        {
            using PooledBuffer inflated = MessageEncoding.Inflate(compressed, Limit);
            Assert.Equal(length, inflated.Written);
        }
        else
        {
            RpcException error = Assert.Throws<RpcException>(() => MessageEncoding.Inflate(compressed, Limit));
            Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
        }
    }

    [Fact]
    public void Inflate_rejects_invalid_gzip()
    {
        RpcException error = Assert.Throws<RpcException>(() => MessageEncoding.Inflate(new ReadOnlySequence<byte>("no gzip at all"u8.ToArray()), Limit));
        Assert.Equal(StatusCode.Internal, error.Status.Code);
    }
}
