using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>Implements the unary form of all data calls of <see cref="DataService"/> on a gateway.</summary>
internal static class RemoteDataService
{
    [ThreadStatic]
    private static SampleGap t_gap;

    public static void Map(RpcRouter router, RemoteGateway gateway)
    {
        foreach (CacheCall call in CacheCalls.Single)
        {
            RemoteCall? row = RemoteCalls.Find(call);
            CallPolicy policy = CallPolicy.Of(call);
            router.MapUnary(call.Path, (request, response, context) => RunAsync(call, policy, row, gateway, request, response, context));
        }
    }

    /// <summary>Finds the cache that the call's metadata names. Returns an error if the call must not run.</summary>
    public static CallError? FindCache(RemoteGateway gateway, RpcContext context, out RemoteCache? cache) =>
        gateway.Find(context.RequestHeaders[CallRouting.CacheHeader], out cache) ?? (gateway.Guard.IsResuming() ? CallError.Resuming : null);

    private static ValueTask RunAsync(
        CacheCall call,
        CallPolicy policy,
        RemoteCall? row,
        RemoteGateway gateway,
        in ReadOnlySequence<byte> request,
        IBufferWriter<byte> response,
        RpcContext context)
    {
        CallError? error = FindCache(gateway, context, out RemoteCache? cache) ?? (row is null ? FleetErrors.UnknownCall : null);
        ReadOnlyMemory<byte> whole = request.IsSingleSegment ? request.First : request.ToArray();
        error ??= CacheRights.Refuse(context, policy, whole.Span);
        if (error is not null)
        {
            CallRouting.Fail(context, error);
            return ValueTask.CompletedTask;
        }

        if (t_gap.IsDue(gateway.Sampler))
        {
            gateway.Sampler.Take(cache!.Name, call.Name, request.FirstSpan, t_gap.Weight, startedAt: 0);
        }

        return gateway.Unary.Rent(gateway).RunAsync(row!, cache!, whole, response, context);
    }
}
