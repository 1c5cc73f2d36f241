using Larder.Wire;

namespace Larder.Client.Tests.Support;

/// <summary>A server of the public contract without the pipeline: gets alone, each a miss.</summary>
internal sealed class UnaryOnlyServer : IAsyncDisposable
{
    private readonly RpcServer _server;

    private UnaryOnlyServer(RpcServer server) => _server = server;

    public int Port => _server.Endpoint.Port;

    public static UnaryOnlyServer Start()
    {
        RpcRouter router = new(new RpcRouterOptions());
        router.MapUnary(
            "/cache_client.Scs/Get",
            new ProtobufCodec<Protocol.GetRequest>(),
            new ProtobufCodec<Protocol.GetResponse>(),
            static (_, _) => ValueTask.FromResult(new Protocol.GetResponse { Result = Protocol.CacheResult.Miss }));
        return new UnaryOnlyServer(RpcServer.Start(router, new RpcServerOptions()));
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
