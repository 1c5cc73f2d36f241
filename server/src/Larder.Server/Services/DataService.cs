using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Security;
using Larder.Server.Work;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The unary form of all data calls. The request bytes are passed to the call, and the call writes its response directly to the output.</summary>
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
                CallError? error = routing.FindTarget(context, out CallTarget target)
                    ?? Run(call, policy, target, routing.Sampler, request, response, context);
                if (ReferenceEquals(error, CallError.Deferred))
                {
                    return new UnaryWork(call, target, request, response, context).RunAsync();
                }

                if (error is not null)
                {
                    CallRouting.Fail(context, error);
                }

                return ValueTask.CompletedTask;
            });
        }
    }

    // Returns Deferred if the call takes too long for the reading thread.
    private static CallError? Run(
        CacheCall call,
        CallPolicy policy,
        CallTarget target,
        CallSampler? sampler,
        in ReadOnlySequence<byte> request,
        IBufferWriter<byte> response,
        RpcContext context)
    {
        bool isSampled = sampler is not null && t_gap.IsDue(sampler);
        long startedAt = isSampled ? CallSampler.Now() : 0;
        CallError? error = request.IsSingleSegment
            ? RunShort(call, policy, target, request.FirstSpan, response, context)
            : RunCopied(call, policy, target, request, response, context);
        if (isSampled)
        {
            // The sampler needs only the key, which precedes the value. Therefore, the first segment of the request is sufficient.
            sampler!.Take(target.Cache.Name, call.Name, request.FirstSpan, t_gap.Weight, startedAt);
        }

        return error;
    }

    private static CallError? RunShort(
        CacheCall call,
        CallPolicy policy,
        CallTarget target,
        ReadOnlySpan<byte> request,
        IBufferWriter<byte> response,
        RpcContext context)
    {
        if (CacheRights.Refuse(context, policy, request) is { } refusal)
        {
            return refusal;
        }

        if (call.IsLong(request.Length))
        {
            return CallError.Deferred;
        }

        CallPace.Current = CallPace.Short;
        try
        {
            return call.Handler(target, request, response);
        }
        finally
        {
            CallPace.Current = null;
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
            return RunShort(call, policy, target, array.AsSpan(0, length), response, context);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
