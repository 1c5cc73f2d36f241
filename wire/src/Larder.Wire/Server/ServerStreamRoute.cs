using System.Buffers;

namespace Larder.Wire;

/// <summary>A call with one request and a stream of responses.</summary>
internal sealed class ServerStreamRoute(string path, RawServerStreamHandler handler) : SingleRequestRoute(path)
{
    protected override ValueTask HandleAsync(ReadOnlySequence<byte> payload, RpcContext call) =>
        handler(payload, new ResponseFrames(call), call);
}
