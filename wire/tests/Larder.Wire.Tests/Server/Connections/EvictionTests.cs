using System.Buffers;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

/// <summary>Tests which connections a server closes when all slots are taken.</summary>
public sealed class EvictionTests
{
    private const int Capacity = 3;

    [TimedTheory]
    [InlineData(Capacity)]
    [InlineData(Capacity + 1)]
    [InlineData(10 * Capacity)]
    public async Task Caller_is_served_when_silent_connections_hold_every_slot(int silent)
    {
        await using TestServer server = await StartAsync();
        List<Http2Peer> held = [];
        for (int index = 0; index < silent; index++)
        {
            held.Add(await OpenAsync(server.Endpoint));
        }

        using Http2Peer caller = await OpenAsync(server.Endpoint);
        await AssertServedAsync(caller, 1);
        held.ForEach(static peer => peer.Dispose());
    }

    [TimedTheory]
    [InlineData(1)]
    [InlineData(10 * Capacity)]
    public async Task Connection_with_a_valid_call_is_never_evicted(int more)
    {
        await using TestServer server = await StartAsync();
        List<Http2Peer> callers = [];
        for (int index = 0; index < Capacity; index++)
        {
            callers.Add(await OpenAsync(server.Endpoint));
            await AssertServedAsync(callers[^1], 1);
        }

        for (int index = 0; index < more; index++)
        {
            using Http2Peer refused = await ConnectAsync(server.Endpoint);
            Assert.Null(await refused.ReadAsync());
        }

        foreach (Http2Peer caller in callers)
        {
            await AssertServedAsync(caller, 3);
            caller.Dispose();
        }
    }

    [TimedFact]
    public async Task Rejected_calls_do_not_keep_connection_slot()
    {
        RpcRouterOptions options = new()
        {
            Authorize = static call =>
            {
                call.IsConnectionKnown = call.RequestHeaders.Authorization == "token";
                return call.IsConnectionKnown ? null : new Status(StatusCode.Unauthenticated, "no token");
            },
        };
        await using TestServer server = await StartAsync(options);
        List<Http2Peer> strangers = [];
        for (int index = 0; index < 10 * Capacity; index++)
        {
            strangers.Add(await OpenAsync(server.Endpoint));
            await strangers[^1].SendAsync(Call(1, [7]));
            await strangers[^1].ReadUntilAsync(Http2FrameType.Headers);
        }

        using Http2Peer caller = await OpenAsync(server.Endpoint);
        await caller.SendAsync(
        [
            .. Make(Http2FrameType.Headers, Http2FrameHeader.EndHeaders, 1, Block(EchoPath, ("authorization", "token"))),
            .. Make(Http2FrameType.Data, Http2FrameHeader.EndStream, 1, RawCall.Frame([7], isCompressed: false)),
        ]);
        Assert.Equal([0, 0, 0, 0, 1, 7], (await caller.ReadUntilAsync(Http2FrameType.Data)).Payload);
        strangers.ForEach(static peer => peer.Dispose());
    }

    private static Task<TestServer> StartAsync(RpcRouterOptions? options = null) => TestServer.StartAsync(
        router => router.MapUnary(EchoPath, static (request, response, _) =>
        {
            response.Write(request.ToArray());
            return default;
        }),
        options,
        new RpcServerOptions { MaxConnections = Capacity });

    private static async Task AssertServedAsync(Http2Peer peer, int stream)
    {
        await peer.SendAsync(Call(stream, [7]));
        Assert.Equal([0, 0, 0, 0, 1, 7], (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload);
    }
}
