using System.Buffers;

namespace Larder.Wire;

/// <summary>A method that takes one request message. The handler starts when the whole message has arrived, unless the deadline has passed.</summary>
/// <param name="path">The path of the method.</param>
internal abstract class SingleRequestRoute(string path) : RpcRoute(path)
{
    private static readonly Status Expired = new(StatusCode.DeadlineExceeded, "The deadline passed before the call started; it was not executed.");

    public sealed override ValueTask RunAsync(RpcContext call, RpcRouterOptions options)
    {
        ReadOnlySequence<byte> payload = RequestMessage.Parse(call.Stream.Input.Body, MaxRequestBytes, out bool isCompressed);
        return isCompressed ? InflateThenHandleAsync(payload, call) : HandleInTime(payload, call);
    }

    /// <summary>Runs the handler. The payload is valid until the returned task completes.</summary>
    protected abstract ValueTask HandleAsync(ReadOnlySequence<byte> payload, RpcContext call);

    private ValueTask HandleInTime(in ReadOnlySequence<byte> payload, RpcContext call)
    {
        if (!call.IsExpired)
        {
            return HandleAsync(payload, call);
        }

        call.Fail(Expired);
        return default;
    }

    private async ValueTask InflateThenHandleAsync(ReadOnlySequence<byte> compressed, RpcContext call)
    {
        if (call.RequestHeaders["grpc-encoding"] != MessageEncoding.Gzip)
        {
            throw new RpcException(new Status(StatusCode.Internal, "A message is compressed, but the grpc-encoding header is missing."));
        }

        using PooledBuffer inflated = MessageEncoding.Inflate(compressed, MaxRequestBytes, call.Stream.Account);
        await HandleInTime(new ReadOnlySequence<byte>(inflated.WrittenMemory), call).ConfigureAwait(false);
    }
}
