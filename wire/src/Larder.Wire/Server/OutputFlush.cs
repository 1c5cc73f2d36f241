using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>Flushing a response while its reader may be gone.</summary>
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
            throw new OperationCanceledException("The caller is gone.");
        }
    }
}
