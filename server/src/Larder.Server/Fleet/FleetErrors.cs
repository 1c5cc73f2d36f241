using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>Maps Redis errors to call errors (FLEET-8). The text of a Redis error is not passed on, because it may contain keys.</summary>
internal static class FleetErrors
{
    public static readonly CallError NotReady = new(
        StatusCode.Unavailable,
        "this server does not reach its cluster; the call was not executed",
        CallError.NotExecuted);

    /// <summary>A renewal was dropped because too many later ones are waiting; it would be too old to extend the lease.</summary>
    public static readonly CallError NotRenewed = new(
        StatusCode.Unavailable,
        "the lease is not renewed: this server does not reach all nodes of its cluster",
        CallError.NotExecuted);

    /// <summary>Other callers kept changing the item during a compare-and-set.</summary>
    public static readonly CallError Contended = new(
        StatusCode.Unavailable,
        "others kept changing the item; nothing was stored",
        CallError.NotExecuted);

    /// <summary>The reply is not one that the command can have.</summary>
    public static readonly CallError Unexpected = new(StatusCode.Internal, "the cluster gave an answer that this server does not know");

    public static readonly CallError UnknownCall = new(
        StatusCode.Unimplemented,
        "a server in front of a cluster does not have this call yet; collections are there on a server that holds its items by itself");

    public static readonly CallError NoQuotas = new(
        StatusCode.Unimplemented,
        "a cache in front of a cluster has no quota (max_bytes): its items share the nodes' memory with all others");

    /// <summary>A pop with more elements than a node may be blocked for.</summary>
    public static readonly CallError TooManyPopped = new(
        StatusCode.ResourceExhausted,
        $"at most {FleetLimits.ElementsTogether} elements can be taken at once in front of a cluster; nothing was changed: {Instead.OfSetPop}");

    /// <summary>A minuend with more elements than a node may be blocked for.</summary>
    public static readonly CallError TooManyInMinuend = new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: a minuend has at most {FleetLimits.ElementsTogether} elements in front of a cluster; nothing was changed",
        "request_size_limit_exceeded");

    /// <summary>Ranges inside a list that would block the node for too long.</summary>
    public static readonly CallError TooMuchErased = new(
        StatusCode.ResourceExhausted,
        "the ranges within the list are too many for one call in front of a cluster; nothing was changed: erase fewer elements with each ListErase");

    private static readonly CallError WrongType = new(StatusCode.FailedPrecondition, "the key holds another type");
    private static readonly CallError NoMemory = new(StatusCode.ResourceExhausted, "the cluster's memory is full and it evicts nothing; nothing was stored");
    private static readonly CallError Overloaded = new(
        StatusCode.Unavailable,
        "too many calls wait for the item's node; this one was not executed",
        CallError.NotExecuted);

    private static readonly CallError Unavailable = new(
        StatusCode.Unavailable,
        "the item's node cannot take the call now; it was not executed",
        CallError.NotExecuted);

    private static readonly CallError Ambiguous = new(StatusCode.Unavailable, "the connection to the item's node was lost; the call may have been executed");
    private static readonly CallError TimedOut = new(StatusCode.DeadlineExceeded, "the deadline passed before the item's node answered");
    private static readonly CallError Refused = new(StatusCode.Internal, "the cluster refuses this server; its log says why");
    private static readonly CallError Other = new(StatusCode.Internal, "the cluster failed the call");

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

    /// <summary>Returns the error of a joined call for the error of a part. If another part ran, the call is no longer "not executed".</summary>
    public static CallError OfPart(CallError error, bool othersRan) =>
        othersRan && error.Cause == CallError.NotExecuted ? error with { Message = "a part of the call could not be executed", Cause = null } : error;
}
