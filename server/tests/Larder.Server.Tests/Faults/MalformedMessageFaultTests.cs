using System.Buffers;
using System.IO.Compression;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

[Collection(nameof(SequentialMeasurements))]
public sealed class MalformedMessageFaultTests
{
    private static readonly ByteString Key = CallHarness.Bytes("k");

    public static TheoryData<string, byte[]> Malformed => new()
    {
        { "a length past the end", [0x0A, 0x7F, 0x01] },
        { "a varint without an end", [0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01] },
        { "field number zero", [0x02, 0x00] },
        { "a wire type that is none", [0x0F, 0x00] },
        { "a negative length", [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01] },
    };

    [Theory]
    [MemberData(nameof(Malformed))]
    public async Task P2_malformed_message_fails_with_InvalidArgument_and_keeps_connection_open(string name, byte[] message)
    {
        Assert.NotEmpty(name);
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(StatusCode.InvalidArgument, await StatusOfAsync(server, FaultCalls.Get, message));
        await server.Channel.AssertServesAsync(calls: 1);
    }

    [Fact]
    public async Task P2_unknown_fields_are_ignored()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        byte[] known = new GetRequest { Key = Key }.ToByteArray();
        byte[] withUnknown = [.. known, 0xA0, 0x06, 0x01, 0xAA, 0x06, 0x02, 0x68, 0x69];
        Assert.Equal(StatusCode.Ok, await StatusOfAsync(server, FaultCalls.Get, withUnknown));
    }

    [Fact]
    public async Task P2_a_million_unknown_fields_are_ignored_with_bounded_memory()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        byte[] field = [0xA0, 0x86, 0x01, 0x01];
        byte[] message =
        [
            .. new SetRequest
            {
                Key = Key,
                Value = Key,
                TtlMs = 1_000,
            }.ToByteArray(),
            .. Enumerable.Repeat(field, 1_000_000).SelectMany(bytes => bytes),
        ];
        Assert.Equal(StatusCode.Ok, await StatusOfAsync(server, "/cache_client.Scs/Set", message));
        long before = GC.GetTotalAllocatedBytes(precise: true);
        await server.Channel.AssertServesDuringAsync(StatusOfAsync(server, "/cache_client.Scs/Set", message));

        // The limit allows for the message of 4 MB in growing buffers of the client and the server, but not for an allocation per field.
        Assert.InRange(GC.GetTotalAllocatedBytes(precise: true) - before, 0, 60_000_000);
    }

    [Fact]
    public async Task P2_deeply_nested_message_does_not_overflow_the_stack()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        byte[] nested = [];
        for (int depth = 0; depth < 2_000; depth++)
        {
            using MemoryStream outer = new();
            using (CodedOutputStream output = new(outer, leaveOpen: true))
            {
                output.WriteTag(15, WireFormat.WireType.LengthDelimited);
                output.WriteBytes(ByteString.CopyFrom(nested));
            }

            nested = outer.ToArray();
        }

        byte[] request = [.. new GetRequest { Key = Key }.ToByteArray(), .. nested];
        Assert.Equal(StatusCode.Ok, await StatusOfAsync(server, FaultCalls.Get, request));
    }

    [Fact]
    public async Task P2_random_request_bytes_never_cause_an_internal_error()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Random random = new(7);
        foreach (CacheCall call in CacheCalls.Single)
        {
            for (int round = 0; round < 50; round++)
            {
                byte[] message = new byte[random.Next(64)];
                random.NextBytes(message);
                StatusCode status = await StatusOfAsync(server, call.Path, message);
                Assert.Contains(status, new[] { StatusCode.Ok, StatusCode.InvalidArgument, StatusCode.FailedPrecondition });
            }
        }
    }

    [Fact]
    public async Task P4_frame_declaring_1_GiB_is_rejected_and_connection_survives()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        // The prefix declares more bytes than follow. An RPC channel cannot send such a request, so the test builds it.
        using HttpClient client = new();
        using HttpRequestMessage request = HandMade(server, [0, 0x40, 0, 0, 0, 1, 2, 3]);
        using HttpResponseMessage response = await client.SendAsync(request);
        Assert.Equal("8", StatusText(response));
        using HttpRequestMessage second = HandMade(server, FaultCalls.Framed(new GetRequest { Key = Key }));
        using HttpResponseMessage after = await client.SendAsync(second);
        Assert.Equal("0", StatusText(after));
    }

    [Fact]
    public async Task P5_decompression_bomb_is_rejected_with_bounded_memory()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        byte[] body = Bomb();
        long before = GC.GetTotalAllocatedBytes(precise: true);
        using HttpClient client = new();
        using HttpRequestMessage request = HandMade(server, body);
        request.Headers.TryAddWithoutValidation("grpc-encoding", "gzip");
        using HttpResponseMessage response = await client.SendAsync(request);
        Assert.Equal("8", StatusText(response));
        // The message limit is 10.5 MB. A buffer that grows to this size by doubling needs at most four times as much in total.
        Assert.InRange(GC.GetTotalAllocatedBytes(precise: true) - before, 0, 100_000_000);
        await server.Channel.AssertServesAsync(calls: 1);
    }

    [Fact]
    public async Task P5_repeated_decompression_bombs_do_not_affect_another_client()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        byte[] body = Bomb();
        using HttpClient client = new();
        async Task AttackAsync()
        {
            for (int bomb = 0; bomb < 10; bomb++)
            {
                using HttpRequestMessage request = HandMade(server, body);
                request.Headers.TryAddWithoutValidation("grpc-encoding", "gzip");
                using HttpResponseMessage response = await client.SendAsync(request);
                Assert.Equal("8", StatusText(response));
            }
        }

        await server.Channel.AssertServesDuringAsync(Task.WhenAll(AttackAsync(), AttackAsync()));
    }

    // 200 MB of zeros, compressed to 200 KB.
    private static byte[] Bomb()
    {
        using MemoryStream compressed = new();
        using (GZipStream gzip = new(compressed, CompressionLevel.Optimal, leaveOpen: true))
        {
            gzip.Write(new byte[200_000_000]);
        }

        return [1, .. BitConverter.GetBytes((int)compressed.Length).Reverse(), .. compressed.ToArray()];
    }

    private static HttpRequestMessage HandMade(RunningServer server, byte[] body)
    {
        HttpRequestMessage request = new(HttpMethod.Post, new Uri(server.Server.Endpoint, FaultCalls.Get))
        {
            Version = new Version(2, 0),
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(body),
        };
        request.Content.Headers.TryAddWithoutValidation("content-type", "application/grpc");
        request.Headers.TryAddWithoutValidation("cache", "cache");
        return request;
    }

    private static string StatusText(HttpResponseMessage response) =>
        (response.Headers.TryGetValues("grpc-status", out IEnumerable<string>? values) ? values : response.TrailingHeaders.GetValues("grpc-status")).Single();

    private static async Task<StatusCode> StatusOfAsync(RunningServer server, string path, byte[] message)
    {
        RpcMethod<byte[], int> method = new(path, new BytesCodec(), new LengthCodec());
        try
        {
            await server.Channel.UnaryAsync(method, message, RunningServer.CacheHeaders(), RunningServer.Patience, CancellationToken.None);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private sealed class BytesCodec : MessageCodec<byte[]>
    {
        public override int Measure(byte[] message) => message.Length;

        public override void Encode(byte[] message, IBufferWriter<byte> destination) => destination.Write(message);

        public override byte[] Decode(in ReadOnlySequence<byte> payload) => payload.ToArray();
    }

    private sealed class LengthCodec : MessageCodec<int>
    {
        public override int Measure(int message) => throw new NotSupportedException();

        public override void Encode(int message, IBufferWriter<byte> destination) => throw new NotSupportedException();

        public override int Decode(in ReadOnlySequence<byte> payload) => (int)payload.Length;
    }
}
