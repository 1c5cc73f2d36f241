using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Pauses;
using Larder.Server.Snapshots;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>What every service needs of its server.</summary>
/// <param name="Store">The caches.</param>
/// <param name="Rules">The limits of each call.</param>
/// <param name="Guard">Knows when calls may be older than they look.</param>
/// <param name="Snapshots">The server's snapshots; null where it has no file for them.</param>
/// <param name="Sampler">Takes a sample of the calls; null: nobody does.</param>
internal sealed record CallRouting(
    CacheStore Store,
    CallRules Rules,
    PauseGuard Guard,
    SnapshotKeeper? Snapshots = null,
    CallSampler? Sampler = null)
{
    /// <summary>The metadata that names a data call's cache.</summary>
    public const string CacheHeader = "cache";

    /// <summary>Finds what a data call acts on; answers why not where it may not run.</summary>
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

    /// <summary>Fails the call with the error's status, and its cause in the trailers.</summary>
    public static void Fail(RpcContext context, CallError error)
    {
        context.Fail(StatusOf(context, error));
    }

    /// <summary>The exception that fails a call whose handler answers with messages.</summary>
    public static RpcException Failure(RpcContext context, CallError error) => new(StatusOf(context, error));

    private static Status StatusOf(RpcContext context, CallError error)
    {
        if (error.Cause is not null)
        {
            context.AddTrailer(CallError.CauseTrailer, error.Cause);
        }

        return new Status(error.Code, error.Message);
    }
}
