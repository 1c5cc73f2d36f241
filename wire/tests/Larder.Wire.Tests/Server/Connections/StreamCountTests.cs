using System.Buffers;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

/// <summary>Tests that each stream and each connection is removed from the counts exactly once, regardless of how it ends.</summary>
public sealed class StreamCountTests
{
    private const string HoldPath = "/test.Cache/Hold";

    private static byte[] Headers(int stream, string path = EchoPath, params (string Name, string Value)[] more) =>
        Make(Http2FrameType.Headers, Http2FrameHeader.EndHeaders, stream, Block(path, more));

    public static TheoryData<string, byte[]> Ends => new()
    {
        { "a call reset before its message", [.. Headers(1), .. Reset(1)] },
        { "a call reset within its message", [.. Headers(1), .. Make(Http2FrameType.Data, 0, 1, 0, 0, 0), .. Reset(1)] },
        { "a call whole and then reset", [.. Call(1, [1]), .. Reset(1)] },
        { "a call that its server does not have, reset", [.. Headers(1, "/none"), .. Reset(1)] },
        { "a call refused for its kind", Headers(1, EchoPath, ("content-type", "text/plain")) },
        { "a malformed call", [.. Headers(1, EchoPath, ("BAD", "x")), .. Make(Http2FrameType.Data, 1, 1, 0, 0, 0, 0, 0)] },
        { "a duplex call reset", [.. Headers(1, HoldPath), .. Reset(1)] },
        { "a message over the limit", [.. Headers(1), .. Make(Http2FrameType.Data, 0, 1, 0, 255, 255, 255, 255)] },
        { "a breach within a call", [.. Headers(1), .. Make(Http2FrameType.Ping, 0, 1, 0)] },
    };

    [TimedTheory]
    [MemberData(nameof(Ends))]
    public async Task Stream_and_connection_counts_return_to_zero_after_client_disconnects(string end, byte[] bytes)
    {
        Counts counts = new();
        await using TestServer server = await StartAsync(counts);
        for (int round = 0; round < 3; round++)
        {
            using Http2Peer peer = await OpenAsync(server.Endpoint);
            await peer.SendAsync(bytes);
            // The peer disconnects when the server has read all bytes. The server may or may not have replied.
            await peer.SendAsync(Make(Http2FrameType.Ping, 0, 0, new byte[8]));
            while (await peer.ReadAsync() is { Header.Type: not (Http2FrameType.Ping or Http2FrameType.GoAway) })
            {
            }
        }

        await counts.WaitForZeroAsync(end);
    }

    [TimedFact]
    public async Task Stream_count_returns_to_zero_after_resets_on_open_connection()
    {
        Counts counts = new();
        await using TestServer server = await StartAsync(counts);
        using Http2Peer peer = await OpenAsync(server.Endpoint);
        await peer.SendAsync([.. Enumerable.Range(0, 10).SelectMany(call => (byte[])[.. Headers((call * 2) + 1), .. Reset((call * 2) + 1)])]);
        await peer.SendAsync(Call(21, [1]));
        await peer.ReadUntilAsync(Http2FrameType.Data);
        await peer.ReadUntilAsync(Http2FrameType.Headers);
        Assert.Equal((1, 0), (counts.Connections, counts.Streams));
    }

    [TimedFact]
    public async Task Connection_with_failed_loop_frees_its_slot()
    {
        Counts counts = new() { ThrowsOnStart = true };
        // There is only one slot. If a connection kept the slot after its end, the next connection would be refused.
        await using TestServer server = await StartAsync(counts, maxConnections: 1);
        for (int round = 0; round < 3; round++)
        {
            using Http2Peer failing = await OpenAsync(server.Endpoint);
            await failing.SendAsync(Call(1, [1]));
            await failing.ReadGoodbyeAsync();
            await counts.WaitForZeroAsync("a connection that failed");
        }

        counts.ThrowsOnStart = false;
        using Http2Peer peer = await OpenAsync(server.Endpoint);
        await peer.SendAsync(Call(1, [1]));
        await peer.ReadUntilAsync(Http2FrameType.Data);
    }

    private static byte[] Reset(int stream) => Make(Http2FrameType.ResetStream, 0, stream, Number((int)Http2ErrorCode.Cancel));

    private static Task<TestServer> StartAsync(Counts counts, int maxConnections = 100) => TestServer.StartAsync(
        router =>
        {
            router.MapUnary(EchoPath, (request, response, _) =>
            {
                response.Write(request.ToArray());
                return default;
            });
            router.MapDuplex(HoldPath, (_, call) => Task.Delay(Timeout.InfiniteTimeSpan, call.Cancelled));
        },
        new RpcRouterOptions { Observer = counts },
        new RpcServerOptions { MaxConnections = maxConnections });

    private sealed class Counts : IRpcObserver
    {
        private int _streams;
        private int _connections;

        public bool ThrowsOnStart { get; set; }

        public int Streams => Volatile.Read(ref _streams);

        public int Connections => Volatile.Read(ref _connections);

        public void OnStreamOpened() => Interlocked.Increment(ref _streams);

        public void OnStreamClosed() => Interlocked.Decrement(ref _streams);

        public void OnStarted(RpcContext call)
        {
            if (ThrowsOnStart)
            {
                throw new InvalidOperationException("An observer that breaks its promise.");
            }
        }

        public void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed)
        {
        }

        public void OnConnectionOpened() => Interlocked.Increment(ref _connections);

        public void OnConnectionClosed(object? tag) => Interlocked.Decrement(ref _connections);

        public async Task WaitForZeroAsync(string what)
        {
            long began = TimeProvider.System.GetTimestamp();
            while ((Streams, Connections) != (0, 0))
            {
                Assert.True(
                    TimeProvider.System.GetElapsedTime(began) < TestCalls.Patience,
                    $"{what}: {Streams} streams and {Connections} connections are left.");
                await Task.Yield();
            }
        }
    }
}
