using System.Buffers;
using Larder.Wire;

namespace Larder.Server.Tests.Services;

[Collection(nameof(MeasuredAlone))]
public sealed class ControlMessageTests
{
    public static TheoryData<string> Calls => ["CreateCache", "DeleteCache", "FlushCache", "ListCaches"];

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task A_million_unknown_fields_take_no_memory_of_their_own(string rpc)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        // A name, and then a million fields that nobody knows.
        ArrayBufferWriter<byte> message = new();
        message.Write("\n\u0005cache"u8);
        for (int field = 0; field < 1_000_000; field++)
        {
            message.Write((ReadOnlySpan<byte>)[0xF8, 0x7F, 1]);
        }

        await CallAsync(server, rpc, message.WrittenMemory);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        await CallAsync(server, rpc, message.WrittenMemory);

        // Generated messages took 167 bytes a field: 167 MB. What is left is the request itself, in the client, in the server and while their buffers grow.
        Assert.InRange(GC.GetTotalAllocatedBytes(precise: true) - before, 0, 30_000_000);
    }

    [Fact]
    public async Task A_name_that_is_no_UTF8_or_cut_off_is_refused()
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

    private static async Task CallAsync(RunningServer server, string rpc, ReadOnlyMemory<byte> message)
    {
        try
        {
            await server.Channel.UnaryAsync(
                new RpcMethod<ReadOnlyMemory<byte>, int>($"/control_client.ScsControl/{rpc}", new MemoryCodec(), new NoMessage()),
                message,
                RpcHeaders.Empty,
                RunningServer.Patience,
                CancellationToken.None);
        }
        catch (RpcException known) when (known.Status.Code is StatusCode.AlreadyExists or StatusCode.NotFound)
        {
            // The name was read.
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
