using System.Buffers;

namespace Larder.Wire;

/// <summary>A call with one request whose responses the connection reads from a source.</summary>
internal sealed class PushRoute(string path, PushHandler handler) : SingleRequestRoute(path)
{
    protected override ValueTask HandleAsync(ReadOnlySequence<byte> payload, RpcContext call) => handler(payload, new PushStream(call.Stream), call);
}
