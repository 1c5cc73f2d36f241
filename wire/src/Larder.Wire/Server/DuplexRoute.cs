namespace Larder.Wire;

/// <summary>A bidirectional call: it begins with its headers, and no limit of body or rate applies to it.</summary>
internal sealed class DuplexRoute(string path, Func<DuplexStream, RpcContext, Task> handler) : RpcRoute(path)
{
    public override async ValueTask RunAsync(RpcContext call, RpcRouterOptions options)
    {
        if (call.IsExpired)
        {
            call.Fail(call.CancellationStatus());
            return;
        }

        // The client's open call waits for the headers, and only a flush sends them.
        await OutputFlush.FlushAsync(call.Output, call).ConfigureAwait(false);
        await handler(new DuplexStream(call), call).ConfigureAwait(false);
    }
}
