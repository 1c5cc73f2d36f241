using System.Net;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Server.Pipeline;
using Larder.Server.Security;
using Larder.Server.Work;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The pipelined transport. Each stream is a <see cref="PipelineStream"/>.</summary>
internal static class PipelineService
{
    public const string Path = "/larder.v1.Pipeline/Run";

    public static void Map(RpcRouter router, PipelineHost host) => router.MapDuplex(Path, (stream, context) => ServeAsync(stream, context, host));

    private static AccessSession? Access(RpcContext context, string cache, PipelineHost host)
    {
        if (context.Caller is not AuthenticatedCaller token)
        {
            return null;
        }

        Authenticator authenticator = host.Authenticator!;
        IPAddress? address = context.RemoteAddress;
        return authenticator.Access!.Open(
            token,
            new AccessSession.Opening(cache, address, (who, path, name) => authenticator.Denied(who, address, path, name), host.Draining));
    }

    private static async Task ServeAsync(DuplexStream stream, RpcContext context, PipelineHost host)
    {
        FaultScript? faults = host.Injector is null ? null : FaultScript.Parse(context.RequestHeaders);
        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        using AccessSession? access = Access(context, cache, host);
        PipelineCaller caller = new(WorkGroups.ShareOf(context), context.RemoteAddress?.ToString() ?? "", context.Abort);
        using PipelineStream pipeline = new(host, stream, cache, faults, access, caller);
        host.Metrics.PipelineOpened();
        try
        {
            await pipeline.RunAsync(context.Cancelled).ConfigureAwait(false);
        }
        catch (IOException gone)
        {
            // The status for a reset stream or connection. The client ended the call; the server did not fail.
            throw new OperationCanceledException("the client disconnected", gone);
        }
        finally
        {
            host.Metrics.PipelineClosed();
        }
    }
}
