using System.Threading.Channels;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Client.Tests.Support;

/// <summary>A server whose pipeline streams the test controls. Unary gets return <see cref="UnaryValue"/>.</summary>
internal sealed class ScriptedPipeline : IAsyncDisposable
{
    private readonly Channel<ScriptedStream> _streams = Channel.CreateUnbounded<ScriptedStream>();
    private readonly RpcServer _server;

    public ScriptedPipeline()
    {
        RpcRouter router = new(new RpcRouterOptions());
        router.MapDuplex("/larder.v1.Pipeline/Run", async (duplex, context) =>
        {
            ScriptedStream stream = new(duplex);
            await _streams.Writer.WriteAsync(stream);
            await stream.RunAsync(context.Cancelled);
        });
        router.MapUnary(
            "/cache_client.Scs/Get",
            new ProtobufCodec<Protocol.GetRequest>(),
            new ProtobufCodec<Protocol.GetResponse>(),
            (_, _) => ValueTask.FromResult(new Protocol.GetResponse { Result = Protocol.CacheResult.Hit, Value = ByteString.CopyFromUtf8(UnaryValue) }));
        _server = RpcServer.Start(router, new RpcServerOptions());
    }

    public int Port => _server.Endpoint.Port;

    /// <summary>Gets or sets the value that unary gets return.</summary>
    public string UnaryValue { get; set; } = "unary";

    /// <summary>Returns the next stream that a client opens.</summary>
    public Task<ScriptedStream> NextAsync() => _streams.Reader.ReadAsync().AsTask().WaitAsync(Eventually.Limit);

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
