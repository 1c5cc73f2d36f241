using Larder.Wire;

namespace Larder.Client.Tests.Support;

/// <summary>A server that supports the public API but not the pipeline. It returns a miss for every get, and counts the sets.</summary>
internal sealed class UnaryOnlyServer : IAsyncDisposable
{
    private readonly RpcServer _server;
    private readonly int[] _sets;

    private UnaryOnlyServer(RpcServer server, int[] sets) => (_server, _sets) = (server, sets);

    public int Sets => Volatile.Read(ref _sets[0]);

    public int Port => _server.Endpoint.Port;

    public static UnaryOnlyServer Start()
    {
        RpcRouter router = new(new RpcRouterOptions());
        router.MapUnary(
            "/cache_client.Scs/Get",
            new ProtobufCodec<Protocol.GetRequest>(),
            new ProtobufCodec<Protocol.GetResponse>(),
            static (_, _) => ValueTask.FromResult(new Protocol.GetResponse { Result = Protocol.CacheResult.Miss }));
        int[] sets = [0];
        router.MapUnary(
            "/cache_client.Scs/Set",
            new ProtobufCodec<Protocol.SetRequest>(),
            new ProtobufCodec<Protocol.SetResponse>(),
            (_, _) =>
            {
                Interlocked.Increment(ref sets[0]);
                return ValueTask.FromResult(new Protocol.SetResponse { Result = Protocol.CacheResult.Ok });
            });
        return new UnaryOnlyServer(RpcServer.Start(router, new RpcServerOptions()), sets);
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
