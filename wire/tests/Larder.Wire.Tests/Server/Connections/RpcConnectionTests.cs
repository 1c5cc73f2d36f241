using System.Buffers;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

public sealed class RpcConnectionTests : IAsyncLifetime
{
    private const string StubbornPath = "/test.Cache/Stubborn";
    private readonly TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TestServer _server = null!;

    public async Task InitializeAsync() =>
        _server = await TestServer.StartAsync(MapEcho, hosting: new RpcServerOptions { MaxStreamsPerConnection = 10, WindowBytes = 65_535 });

    public Task DisposeAsync()
    {
        _release.TrySetResult();
        return _server.DisposeAsync().AsTask();
    }

    [TimedFact]
    public async Task Calls_split_at_any_byte_get_responses()
    {
        byte[] bytes = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. Settings(), .. Call(1, [1, 2, 3]), .. Call(3, [4])];
        foreach (int piece in (int[])[1, 2, 7, 23, 64, bytes.Length])
        {
            using Http2Peer peer = await ConnectAsync(_server.Endpoint);
            foreach (byte[] part in bytes.Chunk(piece))
            {
                await peer.SendAsync(part);
            }

            Assert.Equal([0, 0, 0, 0, 3, 1, 2, 3], (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload);
            Assert.Equal([0, 0, 0, 0, 1, 4], (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload);
        }
    }

    [TimedFact]
    public async Task Request_with_padding_priority_and_CONTINUATION_is_parsed()
    {
        byte[] block = Block();
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        await peer.SendAsync([
            .. Make(Http2FrameType.Headers, Http2FrameHeader.Padded | Http2FrameHeader.Priority, 1, [2, 0, 0, 0, 0, 16, .. block[..10], 0, 0]),
            .. Make(Http2FrameType.Continuation, 0, 1, block[10..20]),
            .. Make(Http2FrameType.Continuation, Http2FrameHeader.EndHeaders, 1, block[20..]),
            .. Make(Http2FrameType.Data, Http2FrameHeader.Padded | Http2FrameHeader.EndStream, 1, [3, 0, 0, 0, 0, 1, 9, 0, 0, 0]),
        ]);
        Assert.Equal([0, 0, 0, 0, 1, 9], (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload);
    }

    [TimedFact]
    public async Task Response_is_sent_in_parts_as_flow_control_windows_open()
    {
        byte[] message = new byte[100];
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 40));
        await peer.SendAsync(Call(1, message));
        Assert.Equal(40, (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload.Length);
        await peer.SendAsync(Make(Http2FrameType.WindowUpdate, 0, 1, Number(1)));
        Assert.Single((await peer.ReadUntilAsync(Http2FrameType.Data)).Payload);
        await peer.SendAsync(Settings((Http2Setting.InitialWindowSize, 1_000)));
        Assert.Equal(64, (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload.Length);
        Assert.True((await peer.ReadUntilAsync(Http2FrameType.Headers)).Header.Has(Http2FrameHeader.EndStream));
    }

    [TimedFact]
    public async Task Stream_above_limit_is_refused_and_others_continue()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        for (int stream = 1; stream <= 21; stream += 2)
        {
            await peer.SendAsync(Make(Http2FrameType.Headers, Http2FrameHeader.EndHeaders, stream, Block()));
        }

        Http2Peer.Frame reset = await peer.ReadUntilAsync(Http2FrameType.ResetStream);
        Assert.Equal((21, Http2ErrorCode.RefusedStream), (reset.Header.StreamId, (Http2ErrorCode)reset.Int32(0)));
        await peer.SendAsync(Make(Http2FrameType.Data, Http2FrameHeader.EndStream, 1, [0, 0, 0, 0, 0]));
        Assert.Equal(1, (await peer.ReadUntilAsync(Http2FrameType.Data)).Header.StreamId);
    }

    [TimedFact]
    public async Task Reset_calls_do_not_count_against_stream_limit()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        await peer.SendAsync([.. Enumerable.Range(0, 10).SelectMany(call => GivenUp((call * 2) + 1))]);
        await peer.SendAsync(Call(21, [7]));
        Assert.Equal(21, (await peer.ReadUntilAsync(Http2FrameType.Data)).Header.StreamId);
    }

    [TimedFact]
    public async Task Reset_calls_with_running_handlers_are_limited_to_1000()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        await peer.SendAsync([.. Enumerable.Range(0, 1_000).SelectMany(call => GivenUp((call * 2) + 1))]);
        await peer.SendAsync(Call(2_001, [7]));
        Http2Peer.Frame reset = await peer.ReadUntilAsync(Http2FrameType.ResetStream);
        Assert.Equal((2_001, Http2ErrorCode.RefusedStream), (reset.Header.StreamId, (Http2ErrorCode)reset.Int32(0)));
        _release.SetResult();
        int stream = 2_001;
        Http2Peer.Frame? answer;
        do
        {
            stream += 2;
            await peer.SendAsync(Call(stream, [7]));
            answer = await peer.ReadAsync();
        }
        while (answer is { Header.Type: not Http2FrameType.Headers });
        Assert.True(answer?.Header.StreamId > 2_001);
    }

    [TimedFact]
    public async Task Windows_are_replenished_while_request_arrives()
    {
        // One message that needs five windows. The peer waits for each update, as a client does.
        byte[] message = RawCall.Frame(new byte[300_000], isCompressed: false);
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 1_000_000));
        await peer.SendAsync([
            .. Make(Http2FrameType.WindowUpdate, 0, 0, Number(1_000_000)),
            .. Make(Http2FrameType.Headers, Http2FrameHeader.EndHeaders, 1, Block()),
        ]);
        int stream = 65_535;
        int connection = 65_535;
        for (int sent = 0; sent < message.Length;)
        {
            int length = Math.Min(Math.Min(16_384, message.Length - sent), Math.Min(stream, connection));
            if (length == 0)
            {
                Http2Peer.Frame update = await peer.ReadUntilAsync(Http2FrameType.WindowUpdate);
                (stream, connection) = update.Header.StreamId == 0 ? (stream, connection + update.Int32(0)) : (stream + update.Int32(0), connection);
                continue;
            }

            byte flags = sent + length == message.Length ? Http2FrameHeader.EndStream : (byte)0;
            await peer.SendAsync(Make(Http2FrameType.Data, flags, 1, message[sent..(sent + length)]));
            (sent, stream, connection) = (sent + length, stream - length, connection - length);
        }

        Assert.Equal(16_384, (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload.Length);
    }

    [TimedFact]
    public async Task Ping_is_acknowledged_with_same_payload()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        await peer.SendAsync(Make(Http2FrameType.Ping, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8));
        Http2Peer.Frame answer = await peer.ReadUntilAsync(Http2FrameType.Ping);
        Assert.True(answer.Header.Has(Http2FrameHeader.Acknowledged));
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8], answer.Payload);
    }

    [TimedFact]
    public async Task Random_frames_do_not_crash_server()
    {
        Random random = new(20261121);
        for (int round = 0; round < 200; round++)
        {
            using Http2Peer peer = await OpenAsync(_server.Endpoint);
            for (int index = 0; index < 20; index++)
            {
                byte[] payload = new byte[random.Next(64)];
                random.NextBytes(payload);
                try
                {
                    await peer.SendAsync(Make((Http2FrameType)random.Next(11), (byte)random.Next(256), random.Next(12), payload));
                }
                catch (System.Net.Sockets.SocketException)
                {
                    break;
                }
            }
        }

        await using RpcChannel channel = _server.Connect();
        Assert.Equal("still here", (await channel.GetAsync("still here")).Value.ToStringUtf8());
    }

    private static byte[] GivenUp(int stream) =>
        [.. Call(stream, [1], StubbornPath), .. Make(Http2FrameType.ResetStream, 0, stream, Number((int)Http2ErrorCode.Cancel))];

    private void MapEcho(RpcRouter router)
    {
        TestCalls.MapEcho(router);
        router.MapUnary(EchoPath, (request, response, _) =>
        {
            response.Write(request.ToArray());
            return default;
        });
        router.MapUnary(StubbornPath, (_, _, _) => new ValueTask(_release.Task));
    }
}
