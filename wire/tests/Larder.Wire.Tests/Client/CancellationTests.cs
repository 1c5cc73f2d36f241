using System.IO.Pipelines;
using Larder.Protocol;

namespace Larder.Wire.Tests.Client;

public sealed class CancellationTests
{
    [TimedFact]
    public async Task Cancelled_unary_call_throws_and_cancels_server_handler()
    {
        TaskCompletionSource arrived = new();
        TaskCompletionSource cancelled = new();
        await using TestServer server = await TestServer.StartAsync(router =>
            router.MapUnary(
                TestCalls.GetPath,
                TestCalls.GetRequests,
                TestCalls.GetResponses,
                async (_, call) =>
        {
            await WaitForCancellationAsync(call, arrived, cancelled);
            return new GetResponse();
        }));
        await using RpcChannel channel = server.Connect();
        using CancellationTokenSource giveUp = new();
        ValueTask<GetResponse> pending = channel.UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TestCalls.Patience, giveUp.Token);
        await arrived.Task.WaitAsync(TestCalls.Patience);
        await giveUp.CancelAsync();
        OperationCanceledException error = await Assert.ThrowsAsync<OperationCanceledException>(() => pending.AsTask().WaitAsync(TestCalls.Patience));
        Assert.Equal(giveUp.Token, error.CancellationToken);
        await cancelled.Task.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Abandoned_server_stream_cancels_server_handler()
    {
        TaskCompletionSource cancelled = new();
        await using TestServer server = await TestServer.StartAsync(router => router.MapServerStream(
            TestCalls.GetBatchPath,
            TestCalls.BatchRequests,
            TestCalls.GetResponses,
            async (_, responses, call) =>
            {
                await responses.WriteAsync(new GetResponse());
                await WaitForCancellationAsync(call, new TaskCompletionSource(), cancelled);
            }));
        await using RpcChannel channel = server.Connect();
        await foreach (GetResponse response in channel.ServerStreamAsync(TestCalls.GetBatch, new GetBatchRequest(), RpcHeaders.Empty, timeout: null))
        {
            break;
        }

        await cancelled.Task.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Disposed_duplex_call_cancels_server_handler()
    {
        TaskCompletionSource cancelled = new();
        await using TestServer server = await TestServer.StartAsync(router => router.MapDuplex(
            TestCalls.RunPath,
            (_, call) => WaitForCancellationAsync(call, new TaskCompletionSource(), cancelled)));
        await using RpcChannel channel = server.Connect();
        DuplexCall call = await channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None);
        await call.DisposeAsync();
        await cancelled.Task.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Duplex_call_fails_with_RpcException_when_server_stops()
    {
        TestServer server = await TestServer.StartAsync(router => router.MapDuplex(TestCalls.RunPath, async (stream, call) =>
        {
            ReadResult read = await stream.Input.ReadAsync(call.Cancelled);
            stream.Input.AdvanceTo(read.Buffer.End);
        }));
        await using RpcChannel channel = server.Connect();
        await using DuplexBytes call = new(await channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None));
        await server.DisposeAsync();
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await call.ReadAsync(new byte[16]) > 0)
            {
            }
        });
        Assert.NotEqual(StatusCode.Ok, error.Status.Code);
    }

    [TimedFact]
    public async Task Channel_reconnects_after_server_restart()
    {
        TestServer first = await TestServer.StartAsync(TestCalls.MapEcho);
        await using RpcChannel channel = first.Connect();
        Assert.Equal("one", (await channel.GetAsync("one")).Value.ToStringUtf8());
        await first.DisposeAsync();
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("none"));
        Assert.Equal(StatusCode.Unavailable, error.Status.Code);
        await using TestServer second = await TestServer.StartAsync(TestCalls.MapEcho, port: first.Endpoint.Port);
        Assert.Equal("two", (await channel.GetAsync("two")).Value.ToStringUtf8());
    }

    private static async Task WaitForCancellationAsync(RpcContext call, TaskCompletionSource arrived, TaskCompletionSource cancelled)
    {
        TaskCompletionSource ended = new();
        using CancellationTokenRegistration registration = call.Cancelled.Register(ended.SetResult);
        arrived.TrySetResult();
        await ended.Task.WaitAsync(TestCalls.Patience);
        cancelled.TrySetResult();
    }
}
