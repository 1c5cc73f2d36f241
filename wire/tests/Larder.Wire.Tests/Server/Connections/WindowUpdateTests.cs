using System.Buffers;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

public sealed class WindowUpdateTests : IAsyncLifetime
{
    private const string LargePath = "/test.Cache/Large";
    private const int LargeBytes = 50_000;
    private TestServer _server = null!;

    public async Task InitializeAsync() => _server = await TestServer.StartAsync(router =>
    {
        TestCalls.MapEcho(router);
        router.MapUnary(LargePath, (_, response, _) =>
        {
            response.Write(new byte[LargeBytes]);
            return default;
        });
    });

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [TimedFact]
    public async Task Waiting_responses_complete_regardless_of_order_of_stream_window_updates()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 0));
        await peer.SendAsync([.. Update(0, 10_000_000), .. Enumerable.Range(0, 100).SelectMany(call => Call((call * 2) + 1, [], LargePath))]);
        Dictionary<int, int> read = [];
        for (int stream = 199; stream > 0; stream -= 2)
        {
            // The window is first opened byte by byte, and then completely.
            await peer.SendAsync([.. Update(stream, 1), .. Update(stream, 1), .. Update(stream, LargeBytes + FrameHeader.Size)]);
        }

        for (int ended = 0; ended < 100;)
        {
            Http2Peer.Frame frame = (await peer.ReadAsync())!;
            read[frame.Header.StreamId] = read.GetValueOrDefault(frame.Header.StreamId) + (frame.Header.Type == Http2FrameType.Data ? frame.Payload.Length : 0);
            ended += frame.Header.Type == Http2FrameType.Headers && frame.Header.Has(Http2FrameHeader.EndStream) ? 1 : 0;
        }

        Assert.All(Enumerable.Range(0, 100), call => Assert.Equal(LargeBytes + FrameHeader.Size, read[(call * 2) + 1]));
    }

    [TimedFact]
    public async Task Responses_waiting_for_connection_window_continue_when_it_opens()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 40_000));
        await peer.SendAsync([.. Enumerable.Range(0, 10).SelectMany(call => Call((call * 2) + 1, [], LargePath))]);
        await peer.SendAsync([.. Update(0, 400_000 - 65_535), .. Update(19, 20_000), .. Update(0, 20_000)]);
        int ended = 0;
        // The connection's window now allows the data of ten stream windows (40,000 bytes each), and the rest of one response (50,000 bytes and a prefix of 5
        // bytes, minus the 40,000 bytes of its window).
        for (int bytes = 0; bytes < 400_000 + 10_005;)
        {
            Http2Peer.Frame frame = (await peer.ReadAsync())!;
            bytes += frame.Header.Type == Http2FrameType.Data ? frame.Payload.Length : 0;
            ended += frame.Header.Has(Http2FrameHeader.EndStream) && frame.Header.Type == Http2FrameType.Headers ? 1 : 0;
        }

        Assert.Equal(19, (await peer.ReadUntilAsync(Http2FrameType.Headers)).Header.StreamId);
        Assert.Equal(0, ended);
    }

    [TimedFact]
    public async Task Two_window_updates_per_response_are_not_a_flood()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        for (int round = 0; round < 150; round++)
        {
            await peer.SendAsync([.. Enumerable.Range(round * 100, 100).SelectMany(call => Call((call * 2) + 1, [], TestCalls.GetPath))]);
            for (int answered = 0; answered < 100;)
            {
                answered += (await peer.ReadUntilAsync(Http2FrameType.Headers)).Header.Has(Http2FrameHeader.EndStream) ? 1 : 0;
            }

            await peer.SendAsync([.. Enumerable.Range(round * 100, 100).SelectMany(call => (byte[])[.. Update((call * 2) + 1, 100), .. Update(0, 100)])]);
        }
    }

    [TimedTheory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Window_updates_without_responses_are_a_flood(int stream)
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 0));
        await peer.SendAsync(Call(1, [], LargePath));
        try
        {
            for (int round = 0; round < 50; round++)
            {
                await peer.SendAsync([.. Enumerable.Repeat(Update(stream, 1), 1_000).SelectMany(frame => frame)]);
            }
        }
        catch (System.Net.Sockets.SocketException)
        {
            // The connection ended while the frames were being sent.
        }

        Assert.Equal(Http2ErrorCode.EnhanceYourCalm, await peer.ReadGoodbyeAsync());
    }

    [TimedFact]
    public async Task Settings_frame_with_2730_entries_is_a_flood()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        await peer.SendAsync(Settings([.. Enumerable.Range(0, 2_730).Select(entry => (Http2Setting.InitialWindowSize, (uint)(entry & 1)))]));
        Assert.Equal(Http2ErrorCode.EnhanceYourCalm, await peer.ReadGoodbyeAsync());
    }

    private static byte[] Update(int stream, int by) => Make(Http2FrameType.WindowUpdate, 0, stream, Number(by));
}
