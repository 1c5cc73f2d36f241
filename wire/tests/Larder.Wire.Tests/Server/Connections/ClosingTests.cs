using System.Buffers;
using System.Net;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

/// <summary>Tests what a stopping server sends on a connection whose client has sent nothing yet.</summary>
public sealed class ClosingTests
{
    private const int Peers = 20;

    [TimedFact]
    public async Task Stopping_server_sends_nothing_to_silent_peer()
    {
        (RpcServer server, Http2Peer[] peers) = await StartAsync();
        Task stopping = server.StopAsync(CancellationToken.None);
        foreach (Http2Peer peer in peers)
        {
            Assert.Null(await peer.ReadAsync());
            peer.Dispose();
        }

        await stopping;
        await server.DisposeAsync();
    }

    [TimedFact]
    public async Task Client_that_starts_HTTP_2_during_shutdown_is_served()
    {
        (RpcServer server, Http2Peer[] peers) = await StartAsync();
        Task stopping = server.StopAsync(CancellationToken.None);
        foreach (Http2Peer peer in peers)
        {
            await peer.SendAsync([.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. Settings(), .. Call(1, [7])]);
        }

        foreach (Http2Peer peer in peers)
        {
            // There is no frame if this thread was suspended for longer than the server waits for the first bytes.
            if (await peer.ReadAsync() is { } first)
            {
                Assert.Equal(Http2FrameType.Settings, first.Header.Type);
                Assert.Equal([0, 0, 0, 0, 1, 7], (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload);
            }

            peer.Dispose();
        }

        await stopping;
        await server.DisposeAsync();
    }

    /// <summary>Starts a server, opens connections, and waits until the server has accepted them.</summary>
    private static async Task<(RpcServer Server, Http2Peer[] Peers)> StartAsync()
    {
        var accepted = new Accepted();
        RpcRouter router = new(new RpcRouterOptions { Observer = accepted });
        router.MapUnary(EchoPath, (request, response, _) =>
        {
            response.Write(request.ToArray());
            return default;
        });
        var server = RpcServer.Start(router, new RpcServerOptions { Endpoint = new IPEndPoint(IPAddress.Loopback, 0) });
        Http2Peer[] peers = await Task.WhenAll(Enumerable.Range(0, Peers).Select(_ => ConnectAsync(new Uri($"http://{server.Endpoint}"))));
        await accepted.All.Task;
        return (server, peers);
    }

    private sealed class Accepted : IRpcObserver
    {
        private int _count;

        public TaskCompletionSource All { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void OnStarted(RpcContext call)
        {
        }

        public void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed)
        {
        }

        public void OnConnectionOpened()
        {
            if (Interlocked.Increment(ref _count) == Peers)
            {
                All.SetResult();
            }
        }
    }
}
