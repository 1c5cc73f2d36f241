using System.Net;

namespace Larder.Wire.Tests;

/// <summary>A real server on a free port with the methods that a test maps.</summary>
internal sealed class TestServer : IAsyncDisposable
{
    private readonly RpcServer _server;

    private TestServer(RpcServer server)
    {
        _server = server;
        Endpoint = new Uri($"http://{server.Endpoint}");
    }

    public Uri Endpoint { get; }

    public static Task<TestServer> StartAsync(Action<RpcRouter> map, RpcRouterOptions? options = null, RpcServerOptions? hosting = null, int port = 0)
    {
        RpcRouter router = new(options ?? new RpcRouterOptions());
        map(router);
        RpcServerOptions limits = (hosting ?? new RpcServerOptions()) with { Endpoint = new IPEndPoint(IPAddress.Loopback, port) };
        return Task.FromResult(new TestServer(RpcServer.Start(router, limits)));
    }

    public RpcChannel Connect(Func<RpcChannelOptions, RpcChannelOptions>? change = null)
    {
        // The timeout is long, because a stall of the machine must not count as a lost peer.
        RpcChannelOptions options = new() { Endpoint = Endpoint, ConnectTimeout = TestCalls.Patience, KeepAlivePingTimeout = TestCalls.Patience };
        return new RpcChannel(change is null ? options : change(options));
    }

    public async ValueTask DisposeAsync() => await _server.DisposeAsync().AsTask().WaitAsync(TestCalls.Patience);
}
