using Larder.Harness.Clocks;
using Larder.Protocol;

namespace Larder.Wire.Tests.Server;

public sealed class DeadlineTests
{
    [TimedFact]
    public async Task Call_with_expired_deadline_is_not_executed()
    {
        int executed = 0;
        await using TestServer server = await TestServer.StartAsync(
            router => router.MapUnary(TestCalls.GetPath, (_, _, _) =>
            {
                Interlocked.Increment(ref executed);
                return ValueTask.CompletedTask;
            }));
        using RawCall raw = new();
        RawCall.Answer answer = await raw.PostAsync(server.Endpoint, TestCalls.GetPath, RawCall.Frame(TestCalls.Key("k")), headers: ("grpc-timeout", "0m"));
        Assert.Equal("4", answer.Status);
        Assert.Equal(0, executed);
    }

    [TimedFact]
    public async Task Call_is_not_executed_when_deadline_passes_during_interceptor()
    {
        ManualTime time = new();
        int executed = 0;
        RpcRouterOptions options = new()
        {
            TimeProvider = time,
            Intercept = _ =>
            {
                time.Advance(TimeSpan.FromSeconds(2));
                return ValueTask.FromResult<Status?>(null);
            },
        };
        await using TestServer server = await TestServer.StartAsync(
            router => router.MapUnary(TestCalls.GetPath, (_, _, _) =>
            {
                Interlocked.Increment(ref executed);
                return ValueTask.CompletedTask;
            }),
            options);
        using RawCall raw = new();
        RawCall.Answer answer = await raw.PostAsync(server.Endpoint, TestCalls.GetPath, RawCall.Frame(TestCalls.Key("k")), headers: ("grpc-timeout", "1S"));
        Assert.Equal("4", answer.Status);
        Assert.Equal(0, executed);
    }

    [TimedFact]
    public async Task Deadline_passing_during_handler_cancels_its_token()
    {
        ManualTime time = new();
        await using TestServer server = await TestServer.StartAsync(
            router => router.MapUnary(TestCalls.GetPath, TestCalls.GetRequests, TestCalls.GetResponses, async (_, call) =>
            {
                Assert.Equal(TimeSpan.FromSeconds(1), call.Remaining);
                TaskCompletionSource cancelled = new();
                using CancellationTokenRegistration registration = call.Cancelled.Register(cancelled.SetResult);
                time.Advance(TimeSpan.FromSeconds(1));
                await cancelled.Task.WaitAsync(TestCalls.Patience);
                call.Cancelled.ThrowIfCancellationRequested();
                return new GetResponse();
            }),
            new RpcRouterOptions { TimeProvider = time });
        using RawCall raw = new();
        RawCall.Answer answer = await raw.PostAsync(server.Endpoint, TestCalls.GetPath, RawCall.Frame(TestCalls.Key("k")), headers: ("grpc-timeout", "1S"));
        Assert.Equal("4", answer.Status);
    }

    [TimedFact]
    public async Task Call_without_timeout_has_no_deadline()
    {
        TimeSpan? remaining = TimeSpan.Zero;
        await using TestServer server = await TestServer.StartAsync(router => router.MapUnary(TestCalls.GetPath, (_, _, call) =>
        {
            remaining = call.Remaining;
            return ValueTask.CompletedTask;
        }));
        using RawCall raw = new();
        Assert.Equal("0", (await raw.PostAsync(server.Endpoint, TestCalls.GetPath, RawCall.Frame(TestCalls.Key("k")))).Status);
        Assert.Null(remaining);
    }
}
