using System.Net;
using Larder.Protocol;
using Larder.Wire.Tests.Framing;

namespace Larder.Wire.Tests.Server;

public sealed class RequestRulesTests
{
    private static readonly byte[] Hello = RawCall.Frame(TestCalls.Key("hello"));

    [TimedFact]
    public async Task Error_without_body_is_sent_as_trailers_only_response()
    {
        RawCall.Answer answer = await PostAsync("/test.Cache/Nothing", Hello);
        Assert.True(answer.IsTrailersOnly);
        Assert.Empty(answer.Body);
        Assert.Equal("12", answer.Status);
    }

    [TimedTheory]
    [InlineData("application/json")]
    [InlineData("application/grpc-web")]
    [InlineData("application/grpcish")]
    [InlineData("text/plain")]
    public async Task Unsupported_content_type_returns_415(string contentType)
    {
        RawCall.Answer answer = await PostAsync(TestCalls.GetPath, Hello, contentType);
        Assert.Equal(HttpStatusCode.UnsupportedMediaType, answer.Http);
    }

    [TimedTheory]
    [InlineData("application/grpc")]
    [InlineData("application/grpc+proto")]
    [InlineData("application/grpc;charset=utf-8")]
    public async Task gRPC_content_type_is_accepted(string contentType)
    {
        RawCall.Answer answer = await PostAsync(TestCalls.GetPath, Hello, contentType);
        Assert.Equal((HttpStatusCode.OK, "0"), (answer.Http, answer.Status));
    }

    [TimedFact]
    public async Task Gzip_request_is_decompressed()
    {
        byte[] compressed = RawCall.Frame(GzipBytes.Of([.. Hello.AsSpan(FrameHeader.Size)]), isCompressed: true);
        RawCall.Answer answer = await PostAsync(TestCalls.GetPath, compressed, headers: ("grpc-encoding", "gzip"));
        Assert.Equal("0", answer.Status);
        Assert.Equal("hello", GetResponse.Parser.ParseFrom(answer.Body, FrameHeader.Size, answer.Body.Length - FrameHeader.Size).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task P5_Gzip_bomb_is_rejected_at_size_limit()
    {
        byte[] bomb = RawCall.Frame(GzipBytes.Of(new byte[50_000_000]), isCompressed: true);
        RawCall.Answer answer = await PostAsync(TestCalls.GetPath, bomb, headers: ("grpc-encoding", "gzip"));
        Assert.Equal("8", answer.Status);
    }

    [TimedFact]
    public async Task Unknown_encoding_fails_with_Unimplemented_and_lists_supported_ones()
    {
        RawCall.Answer answer = await PostAsync(TestCalls.GetPath, Hello, headers: ("grpc-encoding", "zstd"));
        Assert.Equal("12", answer.Status);
        Assert.Equal("identity,gzip", answer.AcceptEncoding);
    }

    [TimedFact]
    public async Task Compressed_message_without_encoding_header_fails_with_Internal()
    {
        byte[] compressed = RawCall.Frame(GzipBytes.Of([1, 2, 3]), isCompressed: true);
        Assert.Equal("13", (await PostAsync(TestCalls.GetPath, compressed)).Status);
    }

    [TimedFact]
    public async Task Invalid_timeout_fails_with_InvalidArgument() =>
        Assert.Equal("3", (await PostAsync(TestCalls.GetPath, Hello, headers: ("grpc-timeout", "soon"))).Status);

    [TimedFact]
    public async Task Invalid_message_fails_with_InvalidArgument() =>
        Assert.Equal("3", (await PostAsync(TestCalls.GetPath, RawCall.Frame([0xFF, 0xFF, 0xFF], isCompressed: false))).Status);

    [TimedFact]
    public async Task GET_request_returns_405()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        using HttpClient client = new() { DefaultRequestVersion = HttpVersion.Version20, DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact };
        using HttpResponseMessage response = await client.GetAsync(new Uri(server.Endpoint, TestCalls.GetPath));
        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
    }

    [TimedFact]
    public async Task HTTP_1_request_returns_400_and_other_connections_continue()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        await using RpcChannel channel = server.Connect();
        using HttpClient client = new();
        using HttpResponseMessage response = await client.GetAsync(new Uri(server.Endpoint, TestCalls.GetPath));
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Equal("still here", (await channel.GetAsync("still here")).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task Call_rejected_by_Authorize_fails_with_returned_status()
    {
        RpcRouterOptions options = new() { Authorize = _ => new Status(StatusCode.Unauthenticated, "no token") };
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho, options);
        await using RpcChannel channel = server.Connect();
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal(new Status(StatusCode.Unauthenticated, "no token"), error.Status);
    }

    [TimedFact]
    public async Task Handler_exception_returns_Internal_without_exception_message()
    {
        TaskCompletionSource<Exception> seen = new();
        RpcRouterOptions options = new() { OnHandlerFault = (_, error) => seen.TrySetResult(error) };
        await using TestServer server = await TestServer.StartAsync(
            router => router.MapUnary(TestCalls.GetPath, (_, _, _) => throw new InvalidOperationException("secret")),
            options);
        await using RpcChannel channel = server.Connect();
        RpcException failure = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal(StatusCode.Internal, failure.Status.Code);
        Assert.DoesNotContain("secret", failure.Status.Message, StringComparison.Ordinal);
        Assert.Equal("secret", (await seen.Task.WaitAsync(TestCalls.Patience)).Message);
    }

    private static async Task<RawCall.Answer> PostAsync(
        string path,
        byte[] body,
        string contentType = "application/grpc",
        params (string Name, string Value)[] headers)
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        using RawCall raw = new();
        return await raw.PostAsync(server.Endpoint, path, body, contentType, headers);
    }
}
