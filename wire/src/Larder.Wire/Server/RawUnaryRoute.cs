using System.Buffers;

namespace Larder.Wire;

/// <summary>A unary call with raw bytes.</summary>
internal sealed class RawUnaryRoute(string path, RawUnaryHandler handler) : SingleRequestRoute(path)
{
    protected override ValueTask HandleAsync(ReadOnlySequence<byte> payload, RpcContext call)
    {
        call.Writer.Attach(call.Output);
        ValueTask handling = handler(payload, call.Writer, call);
        if (!handling.IsCompletedSuccessfully)
        {
            return EndAfterAsync(handling, call);
        }

        handling.GetAwaiter().GetResult();
        End(call);
        return default;
    }

    private static async ValueTask EndAfterAsync(ValueTask handling, RpcContext call)
    {
        await handling.ConfigureAwait(false);
        End(call);
    }

    private static void End(RpcContext call)
    {
        if (call.Status.IsOk)
        {
            call.EndMessage();
        }
    }
}
