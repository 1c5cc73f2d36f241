using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;

namespace Larder.Wire;

/// <summary>A bidirectional call: the limits that protect unary calls are lifted, the headers are sent, and the handler has the stream.</summary>
internal sealed class DuplexRoute(string path, Func<DuplexStream, RpcContext, Task> handler) : RpcRoute(path)
{
    public override async ValueTask RunAsync(RpcContext call, RpcRouterOptions options)
    {
        if (call.IsExpired)
        {
            call.Fail(call.CancellationStatus());
            return;
        }

        LiftLimits(call.Http);
        // The client's open call waits for the headers, and only a flush sends them.
        await OutputFlush.FlushAsync(call.Http.Response.BodyWriter, call).ConfigureAwait(false);
        DuplexStream stream = new(call.Http.Request.BodyReader, call.Http.Response.BodyWriter);
        await handler(stream, call).ConfigureAwait(false);
    }

    private static void LiftLimits(HttpContext http)
    {
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } bodySize)
        {
            bodySize.MaxRequestBodySize = null;
        }

        if (http.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } dataRate)
        {
            dataRate.MinDataRate = null;
        }
    }
}
