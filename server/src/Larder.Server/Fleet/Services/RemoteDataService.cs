using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>The unary form of every data call of a front: <see cref="DataService"/>'s, answered when the item's node has.</summary>
internal static class RemoteDataService
{
    public static void Map(RpcRouter router, RemoteFront front)
    {
        foreach (CacheCall call in CacheCalls.Single)
        {
            RemoteCall? row = RemoteCalls.Find(call);
            router.MapUnary(call.Path, (request, response, context) => RunAsync(row, front, request, response, context));
        }
    }

    /// <summary>Finds the cache that a call's metadata names; answers why it may not run.</summary>
    public static CallError? FindCache(RemoteFront front, RpcContext context, out RemoteCache? cache) =>
        front.Find(context.RequestHeaders[CallRouting.CacheHeader], out cache) ?? (front.Guard.IsResuming() ? CallError.Resuming : null);

    private static ValueTask RunAsync(RemoteCall? row, RemoteFront front, in ReadOnlySequence<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        CallError? error = FindCache(front, context, out RemoteCache? cache) ?? (row is null ? FleetErrors.UnknownCall : null);
        if (error is not null)
        {
            CallRouting.Fail(context, error);
            return ValueTask.CompletedTask;
        }

        ReadOnlyMemory<byte> whole = request.IsSingleSegment ? request.First : request.ToArray();
        return front.Unary.Rent(front).RunAsync(row!, cache!, whole, response, context);
    }
}
