using System.Buffers.Binary;
using System.IO.Compression;
using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Wire.Tests.Server;

public sealed class MessageLimitTests
{
    private static readonly RpcRouterOptions Options = new() { MaxReceiveMessageBytes = 1_000, MessageLimitCause = "request_size_limit_exceeded" };

    [TimedTheory]
    [InlineData(1_000, true)]
    [InlineData(1_001, false)]
    [InlineData(3_000_000, false)]
    public async Task P4_Message_above_limit_is_rejected_and_connection_survives(int messageBytes, bool fits)
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho, Options);
        await using RpcChannel channel = server.Connect();
        GetRequest request = OfEncodedLength(messageBytes);
        if (fits)
        {
            Assert.Equal(request.Key, (await channel.UnaryAsync(TestCalls.Get, request, RpcHeaders.Empty, TestCalls.Patience, CancellationToken.None)).Value);
        }
        else
        {
            RpcException error = await Assert.ThrowsAsync<RpcException>(async () =>
                await channel.UnaryAsync(TestCalls.Get, request, RpcHeaders.Empty, TestCalls.Patience, CancellationToken.None));
            Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
            Assert.Contains("request limit", error.Status.Message, StringComparison.Ordinal);
            Assert.Equal("request_size_limit_exceeded", error.FindTrailer("err"));
        }

        Assert.Equal("after", (await channel.GetAsync("after")).Value.ToStringUtf8());
    }

    [TimedTheory]
    [InlineData(500, false, true)]
    [InlineData(501, false, false)]
    [InlineData(5_010, false, false)]
    [InlineData(500, true, true)]
    [InlineData(501, true, false)]
    [InlineData(5_010, true, false)]
    public async Task Call_accepts_messages_up_to_limit_of_its_route(int messageBytes, bool isCompressed, bool fits)
    {
        RpcRouterOptions options = Options with { MaxReceiveMessageBytes = 10_000, MaxRequestBytes = static path => path == TestCalls.GetPath ? 500 : 20_000 };
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho, options);
        using RawCall raw = new();
        byte[] message = OfEncodedLength(messageBytes).ToByteArray();
        RawCall.Answer answer = isCompressed
            ? await raw.PostAsync(server.Endpoint, TestCalls.GetPath, RawCall.Frame(Gzip(message), isCompressed: true), headers: ("grpc-encoding", "gzip"))
            : await raw.PostAsync(server.Endpoint, TestCalls.GetPath, RawCall.Frame(message, isCompressed: false));
        Assert.Equal((fits ? "0" : "8", fits ? null : "request_size_limit_exceeded"), (answer.Status, answer.Cause));
    }

    [Fact]
    public void Route_limit_never_exceeds_router_limit()
    {
        RpcRouter router = new(Options with { MaxRequestBytes = static path => path == "/a" ? 500 : 20_000 });
        router.MapUnary("/a", static (_, _, _) => ValueTask.CompletedTask);
        router.MapUnary("/b", static (_, _, _) => ValueTask.CompletedTask);
        Assert.Equal((500, 1_000), (router.MaxRequestBytes["/a"], router.MaxRequestBytes["/b"]));
    }

    [TimedFact]
    public async Task P4_Declared_length_of_1_GiB_is_rejected_before_message_arrives()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        using RawCall raw = new();
        byte[] body = new byte[FrameHeader.Size + 10];
        BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(1), 1 << 30);
        RawCall.Answer answer = await raw.PostAsync(server.Endpoint, TestCalls.GetPath, body);
        Assert.Equal("8", answer.Status);
        Assert.Equal("0", (await raw.PostAsync(server.Endpoint, TestCalls.GetPath, RawCall.Frame(TestCalls.Key("k")))).Status);
    }

    [TimedFact]
    public async Task Response_above_client_limit_fails_call_and_channel_continues()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        await using RpcChannel channel = server.Connect(options => options with { MaxReceiveMessageBytes = 1_000 });
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync(new string('x', 2_000)));
        Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
        Assert.Equal("after", (await channel.GetAsync("after")).Value.ToStringUtf8());
    }

    private static byte[] Gzip(byte[] message)
    {
        using MemoryStream compressed = new();
        using (GZipStream gzip = new(compressed, CompressionLevel.Optimal, leaveOpen: true))
        {
            gzip.Write(message);
        }

        return compressed.ToArray();
    }

    private static GetRequest OfEncodedLength(int length)
    {
        GetRequest request = new() { Key = ByteString.CopyFrom(new byte[length]) };
        int excess = request.CalculateSize() - length;
        return new GetRequest { Key = ByteString.CopyFrom(new byte[length - excess]) };
    }
}
