using System.Buffers;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The unary form of every data call: the request's bytes go to the call, and its answer's straight into the response.</summary>
internal static class DataService
{
    public static void Map(RpcRouter router, CallRouting routing)
    {
        foreach (CacheCall call in CacheCalls.Single)
        {
            router.MapUnary(call.Path, (request, response, context) =>
            {
                Run(call, routing, request, response, context);
                return ValueTask.CompletedTask;
            });
        }
    }

    private static void Run(CacheCall call, CallRouting routing, in ReadOnlySequence<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        CallError? error = routing.FindTarget(context, out CallTarget target);
        if (error is null)
        {
            error = request.IsSingleSegment
                ? call.Handler(target, request.FirstSpan, response)
                : RunCopied(call, target, request, response);
        }

        if (error is not null)
        {
            CallRouting.Fail(context, error);
        }
    }

    private static CallError? RunCopied(CacheCall call, CallTarget target, in ReadOnlySequence<byte> request, IBufferWriter<byte> response)
    {
        int length = checked((int)request.Length);
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            request.CopyTo(array);
            return call.Handler(target, array.AsSpan(0, length), response);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
