using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Pauses;
using Larder.Server.Snapshots;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The dependencies that the services share.</summary>
/// <param name="Store">The caches.</param>
/// <param name="Rules">The limits of the calls.</param>
/// <param name="Guard">Detects that the process was paused. After a pause, received calls may be older than they appear.</param>
/// <param name="Snapshots">The snapshots; null if no snapshot file is configured.</param>
/// <param name="Sampler">Samples the calls; null if sampling is disabled.</param>
internal sealed record CallRouting(
    CacheStore Store,
    CallRules Rules,
    PauseGuard Guard,
    SnapshotKeeper? Snapshots = null,
    CallSampler? Sampler = null)
{
    /// <summary>The metadata key that contains the cache name of a data call.</summary>
    public const string CacheHeader = "cache";

    /// <summary>Finds the cache for a data call. Returns an error if the call must not run.</summary>
    public CallError? FindTarget(RpcContext context, out CallTarget target)
    {
        target = default;
        string name = context.RequestHeaders[CacheHeader];
        if (!CacheName.IsValid(name))
        {
            return CallError.NoCacheName;
        }

        if (Store.Find(name) is not { } cache)
        {
            return CallError.CacheNotFound(name);
        }

        target = new CallTarget(cache, Rules);
        return Guard.IsResuming() ? CallError.Resuming : null;
    }

    /// <summary>Fails the call with the error's status, and adds its cause to the trailers.</summary>
    public static void Fail(RpcContext context, CallError error)
    {
        context.Fail(StatusOf(context, error));
    }

    /// <summary>Creates the exception that fails a streaming call.</summary>
    public static RpcException Failure(RpcContext context, CallError error) => new(StatusOf(context, error));

    /// <summary>Throws the exception that fails the call if <paramref name="error"/> is not null.</summary>
    /// <exception cref="RpcException">There is an error.</exception>
    public static void Require(CallError? error, RpcContext context)
    {
        if (error is not null)
        {
            throw Failure(context, error);
        }
    }

    private static Status StatusOf(RpcContext context, CallError error)
    {
        if (error.Cause is not null)
        {
            context.AddTrailer(CallError.CauseTrailer, error.Cause);
        }

        return new Status(error.Code, error.Message);
    }
}
