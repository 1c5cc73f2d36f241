using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

/// <summary>Tests that the memory of connections is limited, that requests above the limit fail, and that the memory is released.</summary>
public sealed class ConnectionMemoryTests : IAsyncLifetime
{
    private const string LargePath = "/test.Cache/Large";
    private const int LargeBytes = 1_000_000;
    private const int Calls = 20;

    private readonly BufferBudget _budget = new(8 << 20);
    private TestServer _server = null!;
    private int _written;

    public async Task InitializeAsync() => _server = await TestServer.StartAsync(
        MapLarge,
        hosting: new RpcServerOptions { Budget = _budget, ReaderGrace = TimeSpan.FromSeconds(1), DataRateGrace = TimeSpan.FromSeconds(1) });

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [TimedFact]
    public async Task Large_responses_are_not_built_before_their_window_opens()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 0));
        await peer.SendAsync([.. Enumerable.Range(0, Calls).SelectMany(call => Call((call * 2) + 1, [], LargePath))]);
        // A small response to a later call does not wait for the large responses.
        await peer.SendAsync([.. Call((Calls * 2) + 1, [7]), .. Make(Http2FrameType.WindowUpdate, 0, (Calls * 2) + 1, Number(100))]);
        Assert.Equal([0, 0, 0, 0, 1, 7], (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload);
        Assert.InRange(Volatile.Read(ref _written), 0, 2);
        Assert.InRange(_budget.UsedBytes, 0, 4 << 20);

        await peer.SendAsync([.. Settings((Http2Setting.InitialWindowSize, 2_000_000)), .. Make(Http2FrameType.WindowUpdate, 0, 0, Number(1 << 30))]);
        long received = 0;
        while (received < Calls * (LargeBytes + 5L))
        {
            received += (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload.Length;
        }

        Assert.Equal(Calls, _written);
    }

    [TimedFact]
    public async Task Upload_above_memory_limit_is_rejected_and_connection_continues()
    {
        // Each stream of one connection uploads one megabyte. Soon, half of the budget is taken, and the next upload fails with a status.
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        byte[] chunk = new byte[16_384];
        int stream = -1;
        Http2Peer.Frame? refused = null;
        while (refused is null)
        {
            stream += 2;
            await peer.SendAsync(Make(Http2FrameType.Headers, Http2FrameHeader.EndHeaders, stream, Block()));
            await peer.SendAsync(Make(Http2FrameType.Data, 0, stream, [0, 0, 0x80, 0, 0]));
            // The size is less than the window, which is replenished when the data arrives.
            await peer.SendAsync([
                .. Enumerable.Range(0, 55).SelectMany(_ => Make(Http2FrameType.Data, 0, stream, chunk)),
                .. Make(Http2FrameType.Ping, 0, 0, new byte[8]),
            ]);
            Http2Peer.Frame frame;
            do
            {
                frame = (await peer.ReadAsync())!;
                refused = frame.Header.Type == Http2FrameType.Headers ? frame : refused;
            }
            while (frame.Header.Type != Http2FrameType.Ping);
        }

        Assert.True(_budget.Refusals > 0);
        Assert.InRange(_budget.UsedBytes, 1, _budget.LimitBytes / 2);
        await using RpcChannel channel = _server.Connect();
        Assert.Equal("still here", (await channel.GetAsync("still here")).Value.ToStringUtf8());
        peer.Dispose();
        await GivenBackAsync();
    }

    [TimedFact]
    public async Task Window_opened_one_byte_at_a_time_resets_slow_stream()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 0));
        await peer.SendAsync(Call(1, [], LargePath));
        Task<Http2Peer.Frame> reset = peer.ReadUntilAsync(Http2FrameType.ResetStream);
        while (await Task.WhenAny(reset, Task.Delay(TimeSpan.FromMilliseconds(200))) != reset)
        {
            await peer.SendAsync(Make(Http2FrameType.WindowUpdate, 0, 1, Number(1)));
        }

        Assert.Equal(1, (await reset).Header.StreamId);
        await GivenBackAsync();
    }

    [TimedFact]
    public async Task Frame_sent_one_byte_at_a_time_ends_connection()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        await peer.SendAsync([.. Make(Http2FrameType.Headers, Http2FrameHeader.EndHeaders, 1, Block()), 0, 0x40, 0, 0, 0, 0, 0, 0, 1]);
        Task<Http2ErrorCode?> end = peer.ReadGoodbyeAsync();
        while (await Task.WhenAny(end, Task.Delay(TimeSpan.FromMilliseconds(200))) != end)
        {
            try
            {
                await peer.SendAsync([0]);
            }
            catch (System.Net.Sockets.SocketException)
            {
                // The connection has ended. The next read reports that.
                break;
            }
        }

        await end;
    }

    [TimedFact]
    public async Task Idle_connection_holds_no_memory_after_many_calls()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 0));
        byte[] message = new byte[16_000];
        await peer.SendAsync([.. Enumerable.Range(0, 60).SelectMany(call => Call((call * 2) + 1, message))]);
        await peer.SendAsync([.. Settings((Http2Setting.InitialWindowSize, 1_000_000)), .. Make(Http2FrameType.WindowUpdate, 0, 0, Number(1 << 30))]);
        for (int ended = 0; ended < 60;)
        {
            ended += (await peer.ReadAsync())!.Header is { Type: Http2FrameType.Headers } header && header.Has(Http2FrameHeader.EndStream) ? 1 : 0;
        }

        await GivenBackAsync();
    }

    private async Task GivenBackAsync()
    {
        while (_budget.UsedBytes != 0)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(50));
        }
    }

    private void MapLarge(RpcRouter router)
    {
        TestCalls.MapEcho(router);
        router.MapUnary(EchoPath, (request, response, _) =>
        {
            System.Buffers.BuffersExtensions.Write(response, request.FirstSpan);
            return default;
        });
        router.MapUnary(LargePath, (_, response, _) =>
        {
            response.GetSpan(LargeBytes)[..LargeBytes].Clear();
            Interlocked.Increment(ref _written);
            response.Advance(LargeBytes);
            return default;
        });
    }
}
