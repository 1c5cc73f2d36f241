using System.Buffers;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

public sealed class PingTests : IAsyncLifetime
{
    private static readonly byte[] Ping = Make(Http2FrameType.Ping, 0, 0, 2, 4, 16, 16, 9, 14, 7, 7);
    private TestServer _server = null!;

    public async Task InitializeAsync() => _server = await TestServer.StartAsync(router => router.MapUnary(EchoPath, (request, response, _) =>
    {
        response.Write(request.ToArray());
        return default;
    }));

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [TimedFact]
    public async Task One_ping_per_response_is_not_a_flood()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        for (int call = 0; call < 300; call++)
        {
            await peer.SendAsync(Call((call * 2) + 1, [1]));
            await peer.ReadUntilAsync(Http2FrameType.Data);
            await peer.SendAsync(Ping);
            await peer.ReadUntilAsync(Http2FrameType.Ping);
        }
    }

    [TimedFact]
    public async Task Pings_above_one_per_response_count_as_flood()
    {
        using Http2Peer peer = await OpenAsync(_server.Endpoint);
        for (int call = 0; call < 50; call++)
        {
            // The test sends ten pings with each of the 50 calls, but each response allows only one ping. So 450 pings are too many. The server tolerates a
            // burst of only 100 such pings, and then 20 per second.
            await peer.SendAsync([.. Call((call * 2) + 1, [1]), .. Enumerable.Repeat(Ping, 10).SelectMany(ping => ping)]);
        }

        Assert.Equal(Http2ErrorCode.EnhanceYourCalm, await peer.ReadGoodbyeAsync());
    }
}
