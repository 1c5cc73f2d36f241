using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>Maps Redis errors to call errors (FLEET-8). A call error does not include the text of the Redis error, because the text may contain keys.</summary>
internal static class FleetErrors
{
    public static readonly CallError NotReady = new(
        StatusCode.Unavailable,
        "this gateway cannot reach its cluster; the call was not executed",
        CallError.NotExecuted);

    /// <summary>
    /// The error of a renewal that was dropped because too many later renewals are waiting. The dropped renewal would be too old to extend the lease.
    /// </summary>
    public static readonly CallError NotRenewed = new(
        StatusCode.Unavailable,
        "the lease was not renewed, because this gateway cannot reach all nodes of its cluster",
        CallError.NotExecuted);

    /// <summary>The error of a compare-and-set during which other callers kept changing the item.</summary>
    public static readonly CallError Contended = new(
        StatusCode.Unavailable,
        "other clients changed the item on every attempt; nothing was stored; try again",
        CallError.NotExecuted);

    /// <summary>The error for a reply that is invalid for its command.</summary>
    public static readonly CallError Unexpected = new(StatusCode.Internal, "the cluster sent a response that this gateway does not support");

    public static readonly CallError UnknownCall = new(
        StatusCode.Unimplemented,
        "a gateway does not support this call; use a server that keeps its items in memory");

    public static readonly CallError NoQuotas = new(
        StatusCode.Unimplemented,
        "a gateway does not support quotas (max_bytes), because all caches share the memory of the cluster; omit max_bytes");

    /// <summary>The error of a pop that removes so many elements that it would block the node for too long.</summary>
    public static readonly CallError TooManyPopped = new(
        StatusCode.ResourceExhausted,
        $"a gateway can remove at most {FleetLimits.MaxElementsTotal} elements at once; nothing was changed; {LimitAdvice.OfSetPop}");

    /// <summary>The error of a SetDifference whose minuend has so many elements that the call would block the node for too long.</summary>
    public static readonly CallError TooManyInMinuend = new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: a gateway allows at most {FleetLimits.MaxElementsTotal} elements in the minuend (the set from which other sets are "
            + "subtracted); nothing was changed",
        "request_size_limit_exceeded");

    /// <summary>The error of a ListErase whose ranges inside the list would block the node for too long.</summary>
    public static readonly CallError TooMuchErased = new(
        StatusCode.ResourceExhausted,
        "erasing so many elements inside the list would block its node for too long; nothing was changed; erase fewer elements with each ListErase");

    private static readonly CallError WrongType = new(StatusCode.FailedPrecondition, "the key holds an item of another type");
    private static readonly CallError NoMemory = new(
        StatusCode.ResourceExhausted,
        "the memory of the cluster is full, and the cluster does not evict items; nothing was stored; set maxmemory-policy to volatile-lfu");
    private static readonly CallError Overloaded = new(
        StatusCode.Unavailable,
        "too many calls are waiting for the item's node; this call was not executed; try again later",
        CallError.NotExecuted);

    private static readonly CallError Unavailable = new(
        StatusCode.Unavailable,
        "the item's node cannot accept the call now; the call was not executed; try again later",
        CallError.NotExecuted);

    private static readonly CallError Ambiguous = new(StatusCode.Unavailable, "the connection to the item's node was lost; the call may have been executed");
    private static readonly CallError TimedOut = new(
        StatusCode.DeadlineExceeded,
        "the deadline passed before the item's node responded; the call may have been executed");

    private static readonly CallError Refused = new(StatusCode.Internal, "the cluster rejects this gateway; see the gateway's log");
    private static readonly CallError Other = new(StatusCode.Internal, "the call failed in the cluster; see the gateway's log");

    public static CallError Of(RedisFailure failure) => failure.Kind switch
    {
        RedisFailureKind.WrongType => WrongType,
        RedisFailureKind.NotAnInteger => CallError.NotAnInteger,
        RedisFailureKind.Overflow => CallError.Overflow,
        RedisFailureKind.OutOfMemory => NoMemory,
        RedisFailureKind.Overloaded => Overloaded,
        RedisFailureKind.TimedOut => failure.NotExecuted ? CallError.PastDeadline : TimedOut,
        RedisFailureKind.Unavailable => failure.NotExecuted ? Unavailable : Ambiguous,
        RedisFailureKind.Ambiguous => Ambiguous,
        RedisFailureKind.Refused => Refused,
        _ => Other,
    };

    /// <summary>
    /// Returns the error of a joined call (a call that consists of several commands) after one of its parts has failed. If another part has run, the returned
    /// error no longer states that the call was not executed.
    /// </summary>
    public static CallError OfPart(CallError error, bool othersRan) =>
        othersRan && error.Cause == CallError.NotExecuted
            ? error with { Message = "one command of the call could not be executed, but other commands of the call may have run", Cause = null }
            : error;
}
