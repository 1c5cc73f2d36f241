using System.Buffers;
using Larder.Wire;

namespace Larder.Server.Tests.Services;

public sealed class ControlMessageTests
{
    [Fact]
    public async Task CreateCache_rejects_truncated_or_non_UTF8_name()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        foreach (byte[] message in (byte[][])[[0x0A, 2, 0xFF, 0xFE], [0x0A, 200, 1, 65]])
        {
            RpcException error = await Assert.ThrowsAsync<RpcException>(async () =>
                await server.Channel.UnaryAsync(
                    new RpcMethod<ReadOnlyMemory<byte>, int>("/control_client.ScsControl/CreateCache", new MemoryCodec(), new NoMessage()),
                    message,
                    RpcHeaders.Empty,
                    RunningServer.Patience,
                    CancellationToken.None));
            Assert.Equal(StatusCode.InvalidArgument, error.Status.Code);
        }
    }

    private sealed class MemoryCodec : MessageCodec<ReadOnlyMemory<byte>>
    {
        public override int Measure(ReadOnlyMemory<byte> message) => message.Length;

        public override void Encode(ReadOnlyMemory<byte> message, IBufferWriter<byte> destination) => destination.Write(message.Span);

        public override ReadOnlyMemory<byte> Decode(in ReadOnlySequence<byte> payload) => payload.ToArray();
    }

    private sealed class NoMessage : MessageCodec<int>
    {
        public override int Measure(int message) => 0;

        public override void Encode(int message, IBufferWriter<byte> destination)
        {
        }

        public override int Decode(in ReadOnlySequence<byte> payload) => (int)payload.Length;
    }
}
