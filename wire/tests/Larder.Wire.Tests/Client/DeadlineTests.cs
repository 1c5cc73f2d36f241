using Larder.Protocol;

namespace Larder.Wire.Tests.Client;

public sealed class DeadlineTests
{
    [Fact]
    public async Task The_timeout_travels_with_the_call()
    {
        TaskCompletionSource<TimeSpan?> seen = new();
        await using TestServer server = await TestServer.StartAsync(router => router.MapUnary(TestCalls.GetPath, (_, _, call) =>
        {
            seen.TrySetResult(call.Timeout);
            return ValueTask.CompletedTask;
        }));
        await using RpcChannel channel = server.Connect();
        await channel.UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromMilliseconds(45_678), CancellationToken.None);
        Assert.Equal(TimeSpan.FromMilliseconds(45_678), await seen.Task);
    }

    [Fact]
    public async Task A_call_that_is_not_answered_fails_when_its_deadline_passes_and_the_server_sees_it_cancelled()
    {
        ManualTime time = new();
        TaskCompletionSource arrived = new();
        TaskCompletionSource cancelled = new();
        await using TestServer server = await TestServer.StartAsync(router => Hang(router, arrived, cancelled));
        await using RpcChannel channel = server.Connect(options => options with { TimeProvider = time });
        ValueTask<GetResponse> call = channel.UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromHours(1), CancellationToken.None);
        await arrived.Task.WaitAsync(TestCalls.Patience);
        time.Advance(TimeSpan.FromHours(1));
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await call);
        Assert.Equal(StatusCode.DeadlineExceeded, error.Status.Code);
        Assert.False(error.NotProcessed);
        await cancelled.Task.WaitAsync(TestCalls.Patience);
    }

    [Fact]
    public async Task A_channel_serves_on_after_calls_that_passed_their_deadlines()
    {
        ManualTime time = new();
        await using TestServer server = await TestServer.StartAsync(router =>
        {
            TestCalls.MapEcho(router);
            Hang(router, new TaskCompletionSource(), new TaskCompletionSource(), "/test.Cache/Hang");
        });
        await using RpcChannel channel = server.Connect(options => options with { TimeProvider = time });
        RpcMethod<GetRequest, GetResponse> hang = new("/test.Cache/Hang", TestCalls.GetRequests, TestCalls.GetResponses);
        Task<GetResponse>[] calls = [.. Enumerable.Range(0, 50).Select(_ =>
            channel.UnaryAsync(hang, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromHours(1), CancellationToken.None).AsTask())];
        time.Advance(TimeSpan.FromHours(2));
        foreach (Task<GetResponse> call in calls)
        {
            await Assert.ThrowsAsync<RpcException>(() => call);
        }

        Assert.Equal("after", (await channel.GetAsync("after")).Value.ToStringUtf8());
    }

    [Fact]
    public async Task A_call_with_no_time_left_is_not_sent()
    {
        await using RpcChannel channel = new(new RpcChannelOptions { Endpoint = new Uri("http://127.0.0.1:1") });
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () =>
            await channel.UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.Zero, CancellationToken.None));
        Assert.Equal(StatusCode.DeadlineExceeded, error.Status.Code);
        Assert.True(error.NotProcessed);
    }

    private static void Hang(RpcRouter router, TaskCompletionSource arrived, TaskCompletionSource cancelled, string path = TestCalls.GetPath) =>
        router.MapUnary(path, TestCalls.GetRequests, TestCalls.GetResponses, async (_, call) =>
        {
            arrived.TrySetResult();
            TaskCompletionSource ended = new();
            using CancellationTokenRegistration registration = call.Cancelled.Register(ended.SetResult);
            await ended.Task;
            cancelled.TrySetResult();
            return new GetResponse();
        });
}
