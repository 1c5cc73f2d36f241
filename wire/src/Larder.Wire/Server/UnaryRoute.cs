using System.Buffers;

namespace Larder.Wire;

/// <summary>A unary method with typed messages.</summary>
internal sealed class UnaryRoute<TRequest, TResponse>(
    string path,
    MessageCodec<TRequest> requests,
    MessageCodec<TResponse> responses,
    Func<TRequest, RpcContext, ValueTask<TResponse>> handler) : SingleRequestRoute(path)
{
    protected override async ValueTask HandleAsync(ReadOnlySequence<byte> payload, RpcContext call)
    {
        TRequest request = requests.Decode(payload);
        TResponse response = await handler(request, call).ConfigureAwait(false);
        if (call.Status.IsOk)
        {
            call.Writer.Attach(call.Output);
            responses.Encode(response, call.Writer);
            call.EndMessage();
        }
    }
}
