using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>Flushes a response and detects that the client has disconnected.</summary>
internal static class OutputFlush
{
    public static ValueTask FlushAsync(PipeWriter output, RpcContext call)
    {
        call.HasBody = true;
        ValueTask<FlushResult> flush = output.FlushAsync(call.Cancelled);
        if (!flush.IsCompletedSuccessfully)
        {
            return AwaitAsync(flush);
        }

        Check(flush.Result);
        return default;
    }

    private static async ValueTask AwaitAsync(ValueTask<FlushResult> flush) => Check(await flush.ConfigureAwait(false));

    private static void Check(FlushResult result)
    {
        if (result.IsCompleted || result.IsCanceled)
        {
            throw new OperationCanceledException("The caller disconnected.");
        }
    }
}
