namespace Larder.Wire.Tests.Client;

public sealed class FailureTests
{
    [TimedFact]
    public async Task Unknown_method_fails_with_Unimplemented()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        await using RpcChannel channel = server.Connect();
        RpcMethod<Larder.Protocol.GetRequest, Larder.Protocol.GetResponse> unknown = new("/test.Cache/Nothing", TestCalls.GetRequests, TestCalls.GetResponses);
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () =>
            await channel.UnaryAsync(unknown, TestCalls.Key("k"), RpcHeaders.Empty, TestCalls.Patience, CancellationToken.None));
        Assert.Equal(StatusCode.Unimplemented, error.Status.Code);
    }

    [TimedFact]
    public async Task Failed_handler_returns_status_message_and_trailers()
    {
        await using TestServer server = await TestServer.StartAsync(router => router.MapUnary(TestCalls.GetPath, (_, _, call) =>
        {
            call.AddTrailer("err", "because");
            call.Fail(new Status(StatusCode.NotFound, "Über 100 % missing\n"));
            return ValueTask.CompletedTask;
        }));
        await using RpcChannel channel = server.Connect();
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal(new Status(StatusCode.NotFound, "Über 100 % missing\n"), error.Status);
        Assert.Equal("because", error.FindTrailer("err"));
        Assert.False(error.NotProcessed);
    }

    [TimedFact]
    public async Task InsufficientMemoryException_in_handler_fails_call_with_ResourceExhausted()
    {
        bool refuses = true;
        await using TestServer server = await TestServer.StartAsync(router => router.MapUnary(TestCalls.GetPath, (_, _, call) =>
        {
            call.Fail(new Status(StatusCode.NotFound, "missing"));
            return refuses ? throw new InsufficientMemoryException("secret") : ValueTask.CompletedTask;
        }));
        await using RpcChannel channel = server.Connect();
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
        refuses = false;
        error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal(StatusCode.NotFound, error.Status.Code);
    }

    [TimedFact]
    public async Task Failed_connect_returns_Unavailable_marked_as_not_processed()
    {
        await using RpcChannel channel = new(new RpcChannelOptions { Endpoint = new Uri("http://127.0.0.1:1") });
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal(StatusCode.Unavailable, error.Status.Code);
        Assert.True(error.NotProcessed);
    }
}
