using System.Buffers.Binary;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Server.Reflection.Messages;
using Larder.Server.Services;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Pipeline;
using Larder.Server.Tests.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Services;

/// <summary>Tests of reflection requests as tools such as grpcurl send them, in both versions of the rpc.</summary>
public sealed class ReflectionServiceTests
{
    public static TheoryData<string> Versions() => [.. ReflectionService.Paths];

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task Every_listed_service_has_its_file_descriptor(string path)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServerReflectionResponse[] listed = await AskAsync(server, path, new ServerReflectionRequest { ListServices = "" });
        string[] services = [.. Assert.Single(listed).ListServicesResponse.Service.Select(static service => service.Name)];
        Assert.Superset(
            new HashSet<string> { "cache_client.Scs", "control_client.ScsControl", "grpc.health.v1.Health", "larder.v1.Pipeline", "token.Token" },
            services.ToHashSet());
        ServerReflectionResponse[] files = await AskAsync(
            server, path, [.. services.Select(static name => new ServerReflectionRequest { FileContainingSymbol = name })]);
        Assert.Equal(services.Length, files.Length);
        foreach ((string service, ServerReflectionResponse answer) in services.Zip(files))
        {
            Assert.Equal(service, answer.OriginalRequest.FileContainingSymbol);
            // The first file is the requested one, and the others are its imports. Together they must be complete.
            ByteString[] sent = [.. answer.FileDescriptorResponse.FileDescriptorProto.Reverse()];
            IReadOnlyList<FileDescriptor> built = FileDescriptor.BuildFromByteStrings(sent);
            Assert.Contains(service, built[^1].Services.Select(static each => each.FullName));
        }
    }

    [Theory]
    [InlineData("cache_client.Scs.Get")]
    [InlineData("cache_client.GetResponse")]
    [InlineData("grpc.health.v1.HealthCheckResponse.ServingStatus")]
    public async Task Methods_messages_and_nested_types_resolve_to_their_file(string symbol)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServerReflectionResponse[] answers = await AskAsync(
            server, ReflectionService.Paths[0], new ServerReflectionRequest { Host = "h", FileContainingSymbol = symbol });
        Assert.NotEmpty(answers[0].FileDescriptorResponse.FileDescriptorProto);
        Assert.Equal("h", answers[0].ValidHost);
    }

    [Fact]
    public async Task Unknown_symbol_returns_error_and_keeps_the_stream_open()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServerReflectionResponse[] answers = await AskAsync(
            server,
            ReflectionService.Paths[0],
            new ServerReflectionRequest { FileByFilename = "../../etc/passwd" },
            new ServerReflectionRequest { FileContainingSymbol = "cache_client" },
            new ServerReflectionRequest { FileContainingExtension = new ExtensionRequest { ContainingType = "cache_client.GetRequest", ExtensionNumber = 1 } },
            new ServerReflectionRequest { AllExtensionNumbersOfType = "nothing" },
            new ServerReflectionRequest(),
            new ServerReflectionRequest { AllExtensionNumbersOfType = "cache_client.GetRequest" },
            new ServerReflectionRequest { FileByFilename = "pipeline.proto" });
        Assert.Equal([5, 5, 5, 5, 3], answers.Take(5).Select(static answer => answer.ErrorResponse.ErrorCode));
        Assert.Empty(answers[5].AllExtensionNumbersResponse.ExtensionNumber);
        Assert.Equal(2, answers[6].FileDescriptorResponse.FileDescriptorProto.Count);
    }

    [Theory]
    [InlineData(ReflectionService.MaxRequestBytes, StatusCode.Ok)]
    [InlineData(ReflectionService.MaxRequestBytes + 1, StatusCode.ResourceExhausted)]
    [InlineData(10 * ReflectionService.MaxRequestBytes, StatusCode.ResourceExhausted)]
    public async Task Request_over_the_size_limit_is_rejected(int bytes, StatusCode expected)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServerReflectionRequest request = new() { FileByFilename = new string('a', bytes - 3) };
        Assert.Equal(bytes, request.CalculateSize());
        Assert.Equal(expected, await StatusAsync(server, Frame(request)));
    }

    [Fact]
    public async Task Compressed_or_malformed_request_ends_the_stream()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(StatusCode.ResourceExhausted, await StatusAsync(server, [1, 0, 0, 0, 0]));
        Assert.Equal(StatusCode.InvalidArgument, await StatusAsync(server, [0, 0, 0, 0, 2, 0x1A, 0x7F]));
    }

    [Fact]
    public async Task Reflection_requires_a_token_when_tokens_are_configured()
    {
        using TokensOnDisk tokens = new(TokensOnDisk.Entry("cart", "read", RunningServer.Cache, "cart:"));
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        byte[] frame = Frame(new ServerReflectionRequest { ListServices = "" });
        Assert.Equal(StatusCode.Unauthenticated, await StatusAsync(server, frame));
        Assert.Equal(StatusCode.Unauthenticated, await StatusAsync(server, frame, "wrong"));
        Assert.Equal(StatusCode.Ok, await StatusAsync(server, frame, TokensOnDisk.SecretOf("cart")));
    }

    [Fact]
    public async Task Flood_of_requests_buffers_no_unread_responses()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using CancellationTokenSource patience = new(RunningServer.Patience);
        byte[] frame = Frame(new ServerReflectionRequest { FileContainingSymbol = "cache_client.Scs" });
        await using DuplexBytes flood = new(await server.Channel.OpenDuplexAsync(ReflectionService.Paths[0], new RpcHeaders(), patience.Token));
        for (int sent = 0; sent < 2_000; sent++)
        {
            flood.Write(frame);
        }

        ServerReflectionResponse[] answers = await AskAsync(server, ReflectionService.Paths[0], new ServerReflectionRequest { ListServices = "" });
        Assert.Single(answers);
        // If the server buffered all 2,000 responses, they would need a hundred times the limit that is checked here.
        Assert.InRange(await BufferAttack.UsedBytesAsync(server, ""), 0, 1 << 20);
    }

    private static byte[] Frame(ServerReflectionRequest request)
    {
        byte[] message = request.ToByteArray();
        byte[] frame = [0, 0, 0, 0, 0, .. message];
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(1), (uint)message.Length);
        return frame;
    }

    private static async Task<ServerReflectionResponse[]> AskAsync(RunningServer server, string path, params ServerReflectionRequest[] requests)
    {
        using CancellationTokenSource patience = new(RunningServer.Patience);
        await using DuplexBytes call = new(await server.Channel.OpenDuplexAsync(path, new RpcHeaders(), patience.Token));
        List<ServerReflectionResponse> answers = [];
        foreach (ServerReflectionRequest request in requests)
        {
            call.Write(Frame(request));
            byte[] prefix = await ReadAsync(call, 5);
            answers.Add(ServerReflectionResponse.Parser.ParseFrom(await ReadAsync(call, (int)BinaryPrimitives.ReadUInt32BigEndian(prefix.AsSpan(1)))));
        }

        return [.. answers];
    }

    private static async Task<byte[]> ReadAsync(DuplexBytes call, int count)
    {
        byte[] bytes = new byte[count];
        for (int read = 0; read < count;)
        {
            int more = await call.ReadAsync(bytes.AsMemory(read)).AsTask().WaitAsync(RunningServer.Patience);
            Assert.NotEqual(0, more);
            read += more;
        }

        return bytes;
    }

    // Returns the status of a call. Returns OK as soon as a response begins.
    private static async Task<StatusCode> StatusAsync(RunningServer server, byte[] frame, string? token = null)
    {
        try
        {
            RpcHeaders headers = token is null ? new RpcHeaders() : new RpcHeaders(new KeyValuePair<string, string>("authorization", token));
            using CancellationTokenSource patience = new(RunningServer.Patience);
            await using DuplexBytes call = new(await server.Channel.OpenDuplexAsync(ReflectionService.Paths[0], headers, patience.Token));
            call.Write(frame);
            await ReadAsync(call, 5);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }
}
