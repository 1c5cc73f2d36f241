using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Security;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The unary form of every data call: the request's bytes go to the call, and its answer's straight into the response.</summary>
internal static class DataService
{
    [ThreadStatic]
    private static SampleGap t_gap;

    public static void Map(RpcRouter router, CallRouting routing)
    {
        foreach (CacheCall call in CacheCalls.Single)
        {
            CallPolicy policy = CallPolicy.Of(call);
            router.MapUnary(call.Path, (request, response, context) =>
            {
                Run(call, policy, routing, request, response, context);
                return ValueTask.CompletedTask;
            });
        }
    }

    private static void Run(
        CacheCall call,
        CallPolicy policy,
        CallRouting routing,
        in ReadOnlySequence<byte> request,
        IBufferWriter<byte> response,
        RpcContext context)
    {
        CallError? error = routing.FindTarget(context, out CallTarget target);
        if (error is null)
        {
            bool isSampled = routing.Sampler is { } sampler && t_gap.IsDue(sampler);
            long startedAt = isSampled ? CallSampler.Now() : 0;
            error = request.IsSingleSegment
                ? CacheRights.Refuse(context, policy, request.FirstSpan) ?? call.Handler(target, request.FirstSpan, response)
                : RunCopied(call, policy, target, request, response, context);
            if (isSampled)
            {
                // Of a request in several segments the first is enough: the key stands before the value.
                routing.Sampler!.Take(target.Cache.Name, call.Name, request.FirstSpan, t_gap.Weight, startedAt);
            }
        }

        if (error is not null)
        {
            CallRouting.Fail(context, error);
        }
    }

    private static CallError? RunCopied(
        CacheCall call,
        CallPolicy policy,
        CallTarget target,
        in ReadOnlySequence<byte> request,
        IBufferWriter<byte> response,
        RpcContext context)
    {
        int length = checked((int)request.Length);
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            request.CopyTo(array);
            ReadOnlySpan<byte> whole = array.AsSpan(0, length);
            return CacheRights.Refuse(context, policy, whole) ?? call.Handler(target, whole, response);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
