using System.Runtime.CompilerServices;
using Larder.Harness.Clocks;
using Larder.Protocol;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Http2;

/// <summary>Tests how connections and streams end, and which errors their callers get.</summary>
public sealed class ConnectionEndTests
{
    [TimedFact]
    public async Task GOAWAY_fails_only_calls_above_its_last_stream_id()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> kept = channel.GetAsync("kept").AsTask();
        await peer.AcceptAsync();
        (int id, _) = await peer.ReadRequestAsync();
        Task<GetResponse> refused = channel.GetAsync("refused").AsTask();
        await peer.ReadRequestAsync();
        await peer.SendAsync(FramePeer.GoAway(id));
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => refused.WaitAsync(TestCalls.Patience));
        Assert.Equal((StatusCode.Unavailable, true), (error.Status.Code, error.NotProcessed));
        Task<GetResponse> next = channel.GetAsync("next").AsTask();
        await peer.SendAsync(peer.Answer(id, "kept"));
        Assert.Equal("kept", (await kept.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
        await peer.AcceptAsync();
        (id, string key) = await peer.ReadRequestAsync();
        await peer.SendAsync(peer.Answer(id, key));
        Assert.Equal("next", (await next.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task GOAWAY_fails_waiting_calls_as_not_processed()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync((Http2Setting.MaxConcurrentStreams, 0));
        await connecting.WaitAsync(TestCalls.Patience);
        Task<GetResponse> waiting = channel.GetAsync("waits").AsTask();
        await peer.SendAsync(FramePeer.GoAway(int.MaxValue));
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => waiting.WaitAsync(TestCalls.Patience));
        Assert.True(error.NotProcessed);
    }

    [TimedTheory]
    [InlineData(7, StatusCode.Unavailable, true)]
    [InlineData(8, StatusCode.Cancelled, false)]
    [InlineData(11, StatusCode.ResourceExhausted, false)]
    [InlineData(2, StatusCode.Internal, false)]
    public async Task Reset_stream_fails_call_with_mapped_status(int code, StatusCode status, bool notProcessed)
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync("k").AsTask();
        await peer.AcceptAsync();
        (int id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(FramePeer.Reset(id, (Http2ErrorCode)code));
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TestCalls.Patience));
        Assert.Equal((status, notProcessed), (error.Status.Code, error.NotProcessed));
        // The connection is still usable.
        call = channel.GetAsync("k").AsTask();
        (id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(peer.Answer(id, "again"));
        await call.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Connection_closed_during_response_fails_call_as_possibly_processed()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync("k").AsTask();
        await peer.AcceptAsync();
        (int id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(peer.AnswerHeaders(id));
        await peer.CloseAsync();
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TestCalls.Patience));
        Assert.Equal((StatusCode.Unavailable, false), (error.Status.Code, error.NotProcessed));
        Assert.IsAssignableFrom<IOException>(error.InnerException);
    }

    [TimedFact]
    public async Task Connect_fails_as_not_processed_when_peer_closes_before_settings()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptRawAsync();
        await peer.CloseAsync();
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => connecting.WaitAsync(TestCalls.Patience));
        Assert.Equal((StatusCode.Unavailable, true), (error.Status.Code, error.NotProcessed));
    }

    [TimedFact]
    public async Task Connect_to_silent_server_fails_after_connect_timeout()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect(options => options with { ConnectTimeout = TimeSpan.FromMilliseconds(50) });
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal((StatusCode.Unavailable, true), (error.Status.Code, error.NotProcessed));
    }

    [TimedFact]
    public async Task Silent_connection_is_pinged_and_then_closed()
    {
        ManualTime time = new();
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect(options =>
            options with
            {
                TimeProvider = time,
                KeepAlivePingDelay = TimeSpan.FromSeconds(5),
                KeepAlivePingTimeout = TimeSpan.FromSeconds(1),
            });
        Task<GetResponse> call = channel.GetAsync("k").AsTask();
        await peer.AcceptAsync();
        await peer.ReadRequestAsync();
        time.Advance(TimeSpan.FromSeconds(5));
        await peer.ReadAsync(Http2FrameType.Ping);
        time.Advance(TimeSpan.FromSeconds(1));
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TestCalls.Patience));
        Assert.Equal((StatusCode.Unavailable, false), (error.Status.Code, error.NotProcessed));
    }

    [TimedFact]
    public async Task Connection_without_keepalive_is_pinged_after_deadline_and_closed()
    {
        ManualTime time = new();
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect(options => Quiet(options, time));
        Task<GetResponse> call = channel.UnaryAsync(TestCalls.Get, TestCalls.Key("k"), RpcHeaders.Empty, TimeSpan.FromSeconds(2), default).AsTask();
        await peer.AcceptAsync();
        await peer.ReadRequestAsync();
        // The clock is advanced once, because a second step would close the connection. So the timer of the call's deadline must be running before that.
        Assert.True(SpinWait.SpinUntil(() => time.RunningTimers > 0, TestCalls.Patience));
        time.Advance(TimeSpan.FromSeconds(2));
        await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TestCalls.Patience));
        await AdvanceUntilAsync(time, peer.ReadAsync(Http2FrameType.Ping));
        Assert.True(channel.IsConnected);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(channel.IsConnected);
    }

    [TimedFact]
    public async Task CheckConnectionHealth_makes_connection_send_a_ping()
    {
        ManualTime time = new();
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect(options => Quiet(options, time));
        Task<DuplexCall> opening = channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None);
        await peer.AcceptAsync();
        await peer.SendAsync(peer.AnswerHeaders((await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId));
        await using DuplexCall call = await opening.WaitAsync(TestCalls.Patience);
        time.Advance(TimeSpan.FromSeconds(2));
        call.CheckConnectionHealth();
        Task<(Http2FrameHeader Header, byte[] Payload)> ping = peer.ReadAsync(Http2FrameType.Ping);
        await AdvanceUntilAsync(time, ping);
        await peer.SendAsync(FramePeer.Frame(Http2FrameType.Ping, Http2FrameHeader.Acknowledged, 0, (await ping).Payload));
        // The ping reply is enough to keep the connection open. So a call on the connection succeeds a minute later.
        await peer.SendAsync(FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8]));
        await peer.ReadAsync(Http2FrameType.Ping);
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.True(channel.IsConnected);
    }

    private static RpcChannelOptions Quiet(RpcChannelOptions options, TimeProvider time) =>
        options with
        {
            TimeProvider = time,
            KeepAlivePingDelay = Timeout.InfiniteTimeSpan,
            KeepAlivePingTimeout = TimeSpan.FromSeconds(1),
        };

    // Advances the clock until a task has completed. The timer that sends the ping is due immediately, but fires only when the clock advances.
    private static async Task AdvanceUntilAsync(ManualTime time, Task awaited)
    {
        time.Advance(TimeSpan.FromMilliseconds(1));
        await awaited.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Disposed_channel_fails_active_and_new_calls()
    {
        await using FramePeer peer = new();
        RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync("k").AsTask();
        await peer.AcceptAsync();
        await peer.ReadRequestAsync();
        await channel.DisposeAsync();
        Assert.Equal(StatusCode.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TestCalls.Patience))).Status.Code);
        RpcException after = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal((StatusCode.Unavailable, true), (after.Status.Code, after.NotProcessed));
    }

    [TimedFact]
    public async Task Section_6_9_1_data_above_stream_window_ends_connection()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect(options => options with { StreamWindowBytes = 65_535 });
        Task<DuplexCall> opening = channel.OpenDuplexAsync(TestCalls.RunPath, RpcHeaders.Empty, CancellationToken.None);
        await peer.AcceptAsync();
        int id = (await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId;
        await peer.SendAsync(peer.AnswerHeaders(id));
        await using DuplexCall call = await opening.WaitAsync(TestCalls.Patience);
        await peer.SendAsync([.. Enumerable.Repeat(FramePeer.Frame(Http2FrameType.Data, 0, id, new byte[16_384]), 5)]);
        (_, byte[] payload) = await peer.ReadAsync(Http2FrameType.GoAway);
        Assert.Equal(FramePeer.Int32((int)Http2ErrorCode.FlowControlError), payload[4..]);
    }

    [TimedTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Lost_connections_are_garbage_collected(bool onReactors)
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        WeakReference[] lost = await LoseAsync(server.Endpoint, onReactors, times: 20);
        // The stack of a thread may still refer to the last connections.
        for (int look = 0; lost.Count(one => one.IsAlive) > 2; look++)
        {
            Assert.True(look < 200, $"{lost.Count(one => one.IsAlive)} of {lost.Length} lost connections are still held.");
            await Task.Yield();
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<WeakReference[]> LoseAsync(Uri endpoint, bool onReactors, int times)
    {
        List<WeakReference> lost = [];
        for (int time = 0; time < times; time++)
        {
            RpcChannelOptions options = new() { Endpoint = endpoint, UsesReactors = onReactors };
            IByteTransport transport = await Http2Connector.ConnectAsync(options, CancellationToken.None);
            Http2Connection connection = Http2Connection.Start(transport, options);
            await connection.ReadyAsync(CancellationToken.None);
            TaskCompletionSource closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
            connection.OnClosed(_ => closed.SetResult());
            transport.Dispose();
            await closed.Task;
            lost.Add(new WeakReference(connection));
        }

        return [.. lost];
    }
}
