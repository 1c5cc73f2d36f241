using Larder.Protocol;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

/// <summary>
/// Tests that connections and streams return their blocks to the process-wide slabs when they end. Blocks that are not returned would be leaked.
/// </summary>
[Collection("alone")]
public sealed class BufferReturnTests
{
    private const int ManyBytes = 300_000;

    [TimedFact]
    public async Task Closed_connection_returns_its_buffers()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        long before = LargeBlocks.Taken;
        for (int connection = 0; connection < 50; connection++)
        {
            await using RpcChannel channel = server.Connect();
            Assert.Equal("k", (await channel.GetAsync("k")).Value.ToStringUtf8());
        }

        await GivenBackAsync(before);
    }

    [TimedFact]
    public async Task Connection_reset_during_writes_returns_its_buffers()
    {
        long before = LargeBlocks.Taken;
        for (int connection = 0; connection < 10; connection++)
        {
            await using FramePeer peer = new();
            await using RpcChannel channel = peer.Connect();
            Task<GetResponse>[] calls = [.. Enumerable.Range(0, 100).Select(_ => channel.GetAsync(new string('k', 60_000)).AsTask())];
            await peer.AcceptAsync((Http2Setting.InitialWindowSize, int.MaxValue));
            await peer.ReadAsync(Http2FrameType.Data);
            await peer.CloseAsync();
            await peer.DisposeAsync();
            foreach (Task<GetResponse> call in calls)
            {
                await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TestCalls.Patience));
            }
        }

        await GivenBackAsync(before);
    }

    [TimedFact]
    public async Task Abandoned_server_stream_returns_unread_buffers()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        IAsyncEnumerable<GetResponse> stream = channel.ServerStreamAsync(TestCalls.GetBatch, new GetBatchRequest(), RpcHeaders.Empty, timeout: null);
        IAsyncEnumerator<GetResponse> answers = stream.GetAsyncEnumerator();
        Task<bool> first = answers.MoveNextAsync().AsTask();
        await peer.AcceptAsync();
        await peer.ReadAsync(Http2FrameType.Headers);
        await peer.SendAsync(peer.AnswerHeaders(1), FramePeer.Frame(Http2FrameType.Data, 0, 1, FramePeer.Message("first")));
        Assert.True(await first.WaitAsync(TestCalls.Patience));
        long before = LargeBlocks.Taken;
        await SendManyBytesAsync(peer);
        await answers.DisposeAsync();
        await GivenBackAsync(before);
    }

    [TimedFact]
    public async Task Disposed_duplex_call_returns_unread_buffers()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<DuplexCall> opening = channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None);
        await peer.AcceptAsync();
        await peer.ReadAsync(Http2FrameType.Headers);
        await peer.SendAsync(peer.AnswerHeaders(1));
        DuplexCall call = await opening.WaitAsync(TestCalls.Patience);
        long before = LargeBlocks.Taken;
        await SendManyBytesAsync(peer);
        await call.DisposeAsync();
        await GivenBackAsync(before);
    }

    // The ping reply shows that all earlier frames were read.
    private static async Task SendManyBytesAsync(FramePeer peer)
    {
        for (int sent = 0; sent < ManyBytes; sent += Http2Limits.FrameBytes)
        {
            await peer.SendAsync(FramePeer.Frame(Http2FrameType.Data, 0, 1, new byte[Http2Limits.FrameBytes]));
        }

        await peer.SendAsync(FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8]));
        while (!(await peer.ReadAsync(Http2FrameType.Ping)).Header.Has(Http2FrameHeader.Acknowledged))
        {
        }

        Assert.InRange(LargeBlocks.Taken, ManyBytes, long.MaxValue);
    }

    // The test polls, because other threads return the buffers.
    private static async Task GivenBackAsync(long before)
    {
        long limit = Environment.TickCount64 + (long)TestCalls.Patience.TotalMilliseconds / 3;
        while (LargeBlocks.Taken > before && Environment.TickCount64 < limit)
        {
            await Task.Delay(10);
        }

        Assert.InRange(LargeBlocks.Taken, 0, before);
    }

    /// <summary>The collection of tests that must not run in parallel with other tests, because all tests share the process-wide slabs.</summary>
    [CollectionDefinition("alone", DisableParallelization = true)]
    public sealed class SequentialTests;
}
