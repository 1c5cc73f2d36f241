namespace Larder.Wire;

/// <summary>A bidirectional call. The handler starts when the headers have arrived. No limits on size or rate apply to the body.</summary>
internal sealed class DuplexRoute(string path, Func<DuplexStream, RpcContext, Task> handler) : RpcRoute(path)
{
    public override async ValueTask RunAsync(RpcContext call, RpcRouterOptions options)
    {
        if (call.IsExpired)
        {
            call.Fail(call.CancellationStatus());
            return;
        }

        // The flush sends the response headers. The client considers the call open only when it has received them.
        await OutputFlush.FlushAsync(call.Output, call).ConfigureAwait(false);
        await handler(new DuplexStream(call), call).ConfigureAwait(false);
    }
}
