using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Pipeline;

namespace Larder.Server.Tests.Pipeline;

public sealed class PipelineOperationTests
{
    [Fact]
    public void TryDecode_reads_every_field()
    {
        Operation message = new()
        {
            Id = 4_000_000_000,
            Cache = "naïve",
            DeadlineMs = 1_100,
            SetIf = new SetIfRequest { Key = ByteString.CopyFromUtf8("k"), Absent = new Empty() },
        };
        Assert.True(PipelineOperation.TryDecode(message.ToByteArray(), out PipelineOperation operation));
        Assert.Equal(4_000_000_000, operation.Id);
        Assert.Equal("naïve"u8, operation.Cache);
        Assert.Equal(1_100u, operation.DeadlineMs);
        Assert.Equal(10, operation.CallField);
        Assert.Equal(message.SetIf.ToByteArray(), operation.Request.ToArray());
    }

    [Fact]
    public void P2_TryDecode_skips_unknown_fields()
    {
        byte[] message = [0x08, 0x05, .. (byte[])[0xA0, 0x06, 0x01], .. (byte[])[0x22, 0x00]];
        Assert.True(PipelineOperation.TryDecode(message, out PipelineOperation operation));
        Assert.Equal(5u, operation.Id);
        Assert.Equal(4, operation.CallField);
    }

    [Fact]
    public void P2_TryDecode_of_truncated_operation_never_throws()
    {
        byte[] whole = new Operation { Id = 3, Cache = "c", Get = new GetRequest { Key = ByteString.CopyFromUtf8("key") } }.ToByteArray();
        for (int length = 0; length < whole.Length; length++)
        {
            bool decoded = PipelineOperation.TryDecode(whole.AsSpan(0, length), out PipelineOperation operation);
            Assert.True(!decoded || operation.CallField == 0, $"cut at {length} it still has its call");
        }
    }

    [Fact]
    public void P2_TryDecode_of_random_bytes_never_throws()
    {
        Random random = new(11);
        byte[] bytes = new byte[64];
        int decoded = 0;
        for (int round = 0; round < 100_000; round++)
        {
            random.NextBytes(bytes);
            decoded += PipelineOperation.TryDecode(bytes.AsSpan(0, random.Next(bytes.Length)), out _) ? 1 : 0;
        }

        Assert.InRange(decoded, 1, 99_999);
    }
}
