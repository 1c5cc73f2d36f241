using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using Larder.Harness.Clocks;
using Larder.Wire.Http2;
using Larder.Wire.Tests.Http2;

namespace Larder.Wire.Tests.Client;

public sealed class DuplexCallTests
{
    [TimedFact]
    public async Task Duplex_call_carries_bytes_both_ways_until_caller_ends_call()
    {
        await using TestServer server = await TestServer.StartAsync(MapEchoStream);
        await using RpcChannel channel = server.Connect();
        await using DuplexBytes call = new(await channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None));
        byte[] buffer = new byte[64];
        for (byte round = 1; round <= 3; round++)
        {
            call.Write([round, round]);
            Assert.Equal(2, await ReadAtLeastAsync(call, buffer, 2));
            Assert.Equal([round, round], buffer[..2]);
        }

        call.CompleteWriting();
        Assert.Equal(0, await call.ReadAsync(buffer));
    }

    [TimedTheory]
    [InlineData(StatusCode.Unauthenticated, "gone")]
    [InlineData(StatusCode.Ok, "")]
    public async Task Duplex_call_returns_status_after_server_has_ended_stream(StatusCode ends, string why)
    {
        await using TestServer server = await TestServer.StartAsync(router => router.MapDuplex(
            TestCalls.RunPath,
            (_, _) => ends == StatusCode.Ok ? Task.CompletedTask : throw new RpcException(new Status(ends, why))));
        await using RpcChannel channel = server.Connect();
        await using DuplexBytes call = new(await channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None));
        Task<int> reading = call.ReadAsync(new byte[1]).AsTask();
        await Task.WhenAny(reading).WaitAsync(TestCalls.Patience);
        Status told = reading.IsFaulted ? (await Assert.ThrowsAsync<RpcException>(() => reading)).Status : Status.Ok;
        Assert.Equal(new Status(ends, why), told);
        call.Write([1]);
        call.CompleteWriting();
        Assert.Equal(1, call.Unsent);
    }

    [TimedFact]
    public async Task Duplex_call_sends_bytes_as_window_opens_then_ends_request()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        (DuplexCall opened, int id) = await OpenAsync(peer, channel, (Http2Setting.InitialWindowSize, 10));
        await using DuplexBytes call = new(opened);
        call.Write([.. Enumerable.Range(0, 100).Select(index => (byte)index)]);
        call.CompleteWriting();
        (Http2FrameHeader header, byte[] payload) = await peer.ReadAsync(Http2FrameType.Data, id);
        Assert.Equal((10, false), (header.Length, header.Has(Http2FrameHeader.EndStream)));
        Assert.Equal(90, call.Unsent);
        List<byte> arrived = [.. payload];
        await peer.SendAsync(FramePeer.WindowUpdate(id, 1_000));
        while (!header.Has(Http2FrameHeader.EndStream))
        {
            (header, payload) = await peer.ReadAsync(Http2FrameType.Data, id);
            arrived.AddRange(payload);
        }

        Assert.Equal(Enumerable.Range(0, 100).Select(index => (byte)index), arrived);
        // After a call has ended, nothing more is sent.
        call.Write([1]);
        await peer.SendAsync(FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8]));
        (Http2FrameHeader Header, byte[] Payload) next = (await peer.ReadAsync())!.Value;
        Assert.Equal(Http2FrameType.Ping, next.Header.Type);
    }

    [TimedFact]
    public async Task Writes_triggered_by_one_read_are_sent_together()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        (DuplexCall opened, int id) = await OpenAsync(peer, channel);
        await using DuplexBytes call = new(opened);
        opened.Receive(new SlowEcho(call));
        // If another thread is still sending earlier bytes, it may send some of the new bytes together with them.
        int whole = 0;
        for (int read = 0; read < 10; read++)
        {
            await peer.SendAsync(FramePeer.Frame(Http2FrameType.Data, 0, id, [1, 2, 3, 4]));
            int first = (await peer.ReadAsync(Http2FrameType.Data, id)).Payload.Length;
            whole += first == 4 ? 1 : 0;
            for (int got = first; got < 4; got += (await peer.ReadAsync(Http2FrameType.Data, id)).Payload.Length)
            {
            }
        }

        Assert.InRange(whole, 5, 10);
    }

    [TimedFact]
    public async Task Blocked_caller_does_not_delay_window_updates_and_other_sends()
    {
        await using FramePeer peer = new();
        // The clock does not advance, so the blocked caller is not detected, and no other thread resumes the callers after it.
        await using RpcChannel channel = peer.Connect(static options => options with { StreamWindowBytes = 100, TimeProvider = new ManualTime() });
        (DuplexCall opened, int id) = await OpenAsync(peer, channel);
        await using DuplexBytes call = new(opened);
        using SemaphoreSlim blocks = new(0);
        using SemaphoreSlim ends = new(0);
        opened.Receive(new BlockedCaller(blocks, ends));
        try
        {
            await peer.SendAsync(FramePeer.Frame(Http2FrameType.Data, 0, id, new byte[60]));
            Assert.True(await blocks.WaitAsync(TestCalls.Patience));
            call.Write([7]);
            Assert.Equal(60, BinaryPrimitives.ReadInt32BigEndian((await peer.ReadAsync(Http2FrameType.WindowUpdate, id)).Payload));
            Assert.Equal([7], (await peer.ReadAsync(Http2FrameType.Data, id)).Payload);
            // No more data has arrived, so no other caller was resumed.
            Assert.Equal(0, blocks.CurrentCount);
        }
        finally
        {
            ends.Release();
        }
    }

    [TimedFact]
    public async Task Protocol_violation_after_pending_replies_still_sends_GOAWAY()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        (DuplexCall opened, int id) = await OpenAsync(peer, channel);
        await using DuplexBytes call = new(opened);
        await peer.SendAsync(
            FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8]),
            peer.Trailers(id),
            FramePeer.Frame(Http2FrameType.Data, 0, 0, [1]));
        byte[] told = (await peer.ReadAsync(Http2FrameType.GoAway)).Payload;
        Assert.Equal(Http2ErrorCode.ProtocolError, (Http2ErrorCode)BinaryPrimitives.ReadInt32BigEndian(told.AsSpan(4)));
    }

    [TimedFact]
    public async Task Stream_with_closed_window_does_not_block_other_streams()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        List<DuplexBytes> calls = [];
        List<int> ids = [];
        for (int index = 0; index < 2; index++)
        {
            Task<DuplexCall> opening = channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None);
            if (index == 0)
            {
                await peer.AcceptAsync((Http2Setting.InitialWindowSize, 1));
            }

            ids.Add((await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId);
            await peer.SendAsync(peer.AnswerHeaders(ids[index]));
            calls.Add(new DuplexBytes(await opening.WaitAsync(TestCalls.Patience)));
        }

        calls[0].Write([1, 2, 3]);
        Assert.Equal([1], (await peer.ReadAsync(Http2FrameType.Data, ids[0])).Payload);
        await peer.SendAsync(FramePeer.WindowUpdate(ids[1], 9));
        calls[1].Write([4, 5, 6]);
        List<byte> arrived = [];
        while (arrived.Count < 3)
        {
            arrived.AddRange((await peer.ReadAsync(Http2FrameType.Data, ids[1])).Payload);
        }

        Assert.Equal([4, 5, 6], arrived);
        Assert.Equal(2, calls[0].Unsent);
        await peer.SendAsync(FramePeer.WindowUpdate(ids[0], 2));
        Assert.Equal([2, 3], (await peer.ReadAsync(Http2FrameType.Data, ids[0])).Payload);
    }

    [TimedFact]
    public async Task Throwing_duplex_source_closes_connection_and_next_call_reconnects()
    {
        await using TestServer server = await TestServer.StartAsync(router =>
        {
            TestCalls.MapEcho(router);
            MapEchoStream(router);
        });
        await using RpcChannel channel = server.Connect();
        await using DuplexCall call = await channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None);
        call.Send(new Failing());
        await Assert.ThrowsAsync<RpcException>(() => call.ReadAsync(new byte[1]).AsTask());
        Assert.Equal("next", (await channel.GetAsync("next")).Value.ToStringUtf8());
    }

    private static void MapEchoStream(RpcRouter router) => router.MapDuplex(TestCalls.RunPath, async (stream, call) =>
    {
        while (true)
        {
            ReadResult read = await stream.Input.ReadAsync(call.Cancelled);
            foreach (ReadOnlyMemory<byte> segment in read.Buffer)
            {
                stream.Output.Write(segment.Span);
            }

            stream.Input.AdvanceTo(read.Buffer.End);
            await stream.Output.FlushAsync(call.Cancelled);
            if (read.IsCompleted)
            {
                return;
            }
        }
    });

    private static async Task<int> ReadAtLeastAsync(DuplexBytes call, byte[] buffer, int wanted)
    {
        int total = 0;
        while (total < wanted)
        {
            int read = await call.ReadAsync(buffer.AsMemory(total));
            Assert.NotEqual(0, read);
            total += read;
        }

        return total;
    }

    private sealed class Failing : IOutputSource
    {
        public int Read(Span<byte> room) => throw new InvalidOperationException("a source's own fault");
    }

    private static async Task<(DuplexCall Call, int Id)> OpenAsync(FramePeer peer, RpcChannel channel, params (Http2Setting Id, int Value)[] settings)
    {
        Task<DuplexCall> opening = channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None);
        await peer.AcceptAsync(settings);
        int id = (await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId;
        await peer.SendAsync(peer.AnswerHeaders(id));
        return (await opening.WaitAsync(TestCalls.Patience), id);
    }

    // A receiver that adds a caller for each read. The caller blocks when it is resumed.
    private sealed class BlockedCaller(SemaphoreSlim blocks, SemaphoreSlim ends) : IDuplexReceiver, IThreadPoolWorkItem
    {
        public void OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers) => callers.Add(this);

        public void OnReadEnd(ICallerBatch callers)
        {
        }

        public void OnEnded(Exception? error)
        {
        }

        public void Execute()
        {
            blocks.Release();
            // The wait has a limit, because connections of other tests share this thread.
            ends.Wait(TestCalls.Patience);
        }
    }

    // A receiver that sends back each byte separately. It waits between the bytes, so that another thread can send each of them.
    private sealed class SlowEcho(DuplexBytes call) : IDuplexReceiver
    {
        public void OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers)
        {
            foreach (byte one in bytes)
            {
                call.Write([one]);
                Thread.Sleep(20);
            }
        }

        public void OnReadEnd(ICallerBatch callers)
        {
        }

        public void OnEnded(Exception? error)
        {
        }
    }
}
