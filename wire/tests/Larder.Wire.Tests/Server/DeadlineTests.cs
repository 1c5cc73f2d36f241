using Larder.Harness.Clocks;
using Larder.Protocol;

namespace Larder.Wire.Tests.Server;

public sealed class DeadlineTests
{
    [PatientFact]
    public async Task A_call_whose_deadline_passed_before_it_began_is_answered_so_and_not_executed()
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

    [PatientFact]
    public async Task A_deadline_that_passes_while_an_interceptor_holds_the_call_keeps_it_from_being_executed()
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

    [PatientFact]
    public async Task A_deadline_that_passes_while_the_handler_runs_cancels_its_token()
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

    [PatientFact]
    public async Task A_call_without_a_timeout_has_no_deadline()
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
