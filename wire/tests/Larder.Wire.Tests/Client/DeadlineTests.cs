using Larder.Harness.Clocks;
using Larder.Protocol;
using Larder.Wire.Tests.Http2;

namespace Larder.Wire.Tests.Client;

public sealed class DeadlineTests
{
    [TimedFact]
    public async Task Server_receives_timeout_of_call()
    {
        TaskCompletionSource<TimeSpan?> seen = new();
        await using TestServer server = await TestServer.StartAsync(router => router.MapUnary(TestCalls.GetPath, (_, _, call) =>
        {
            seen.TrySetResult(call.Timeout);
            return ValueTask.CompletedTask;
        }));
        await using RpcChannel channel = server.Connect();
        await channel
            .UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromMilliseconds(45_678), CancellationToken.None)
            .AsTask()
            .WaitAsync(TestCalls.Patience);
        Assert.Equal(TimeSpan.FromMilliseconds(45_678), await seen.Task.WaitAsync(TestCalls.Patience));
    }

    [TimedFact]
    public async Task Call_without_response_fails_at_deadline_and_cancels_its_handler()
    {
        ManualTime time = new();
        TaskCompletionSource arrived = new();
        TaskCompletionSource cancelled = new();
        await using TestServer server = await TestServer.StartAsync(router => Hang(router, () => arrived.TrySetResult(), () => cancelled.TrySetResult()));
        await using RpcChannel channel = server.Connect(options => Timed(options, time));
        Task<GetResponse> call = channel
            .UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromHours(1), CancellationToken.None)
            .AsTask();
        await arrived.Task.WaitAsync(TestCalls.Patience);
        await time.AdvanceUntilAsync(call, TimeSpan.FromHours(1));
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => call);
        Assert.Equal(StatusCode.DeadlineExceeded, error.Status.Code);
        Assert.False(error.NotProcessed);
        await cancelled.Task.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Channel_completes_new_calls_after_deadlines_of_other_calls_passed()
    {
        ManualTime time = new();
        int arrived = 0;
        TaskCompletionSource allArrived = new();
        await using TestServer server = await TestServer.StartAsync(router =>
        {
            TestCalls.MapEcho(router);
            Hang(router, CountArrival, () => { }, "/test.Cache/Hang");
        });
        await using RpcChannel channel = server.Connect(options => Timed(options, time));
        RpcMethod<GetRequest, GetResponse> hang = new("/test.Cache/Hang", TestCalls.GetRequests, TestCalls.GetResponses);
        Task<GetResponse>[] calls = [.. Enumerable.Range(0, 50).Select(_ =>
            channel.UnaryAsync(hang, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromHours(1), CancellationToken.None).AsTask())];
        await allArrived.Task.WaitAsync(TestCalls.Patience);
        await time.AdvanceUntilAsync(Task.WhenAll(calls), TimeSpan.FromHours(2));
        foreach (Task<GetResponse> call in calls)
        {
            Assert.Equal(StatusCode.DeadlineExceeded, (await Assert.ThrowsAsync<RpcException>(() => call)).Status.Code);
        }

        Assert.Equal("after", (await channel.GetAsync("after")).Value.ToStringUtf8());

        void CountArrival()
        {
            if (Interlocked.Increment(ref arrived) == 50)
            {
                allArrived.SetResult();
            }
        }
    }

    [TimedFact]
    public async Task Call_fails_at_deadline_while_connecting()
    {
        ManualTime time = new();
        await using FramePeer silent = new();
        await using RpcChannel channel = silent.Connect(options => Timed(options, time));
        Task<GetResponse> call = channel
            .UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromHours(1), CancellationToken.None)
            .AsTask();
        await silent.AcceptRawAsync();
        await time.AdvanceUntilAsync(call, TimeSpan.FromHours(1));
        Assert.Equal(StatusCode.DeadlineExceeded, (await Assert.ThrowsAsync<RpcException>(() => call)).Status.Code);
    }

    [TimedFact]
    public async Task Call_with_zero_timeout_is_not_sent()
    {
        await using RpcChannel channel = new(new RpcChannelOptions { Endpoint = new Uri("http://127.0.0.1:1") });
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () =>
            await channel.UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.Zero, CancellationToken.None));
        Assert.Equal(StatusCode.DeadlineExceeded, error.Status.Code);
        Assert.True(error.NotProcessed);
    }

    // Pings are disabled. Otherwise they would time out when the test advances the clock by hours.
    private static RpcChannelOptions Timed(RpcChannelOptions options, TimeProvider time) =>
        options with
        {
            TimeProvider = time,
            KeepAlivePingDelay = Timeout.InfiniteTimeSpan,
        };

    private static void Hang(RpcRouter router, Action arrived, Action cancelled, string path = TestCalls.GetPath) =>
        router.MapUnary(path, TestCalls.GetRequests, TestCalls.GetResponses, async (_, call) =>
        {
            arrived();
            TaskCompletionSource ended = new();
            using CancellationTokenRegistration registration = call.Cancelled.Register(ended.SetResult);
            await ended.Task.WaitAsync(TestCalls.Patience);
            cancelled();
            return new GetResponse();
        });
}
