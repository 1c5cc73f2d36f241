using Larder.Wire;

namespace Larder.Server.Calls;

/// <summary>The error of a call. It is sent in the trailers of a unary call and in the status of a pipelined call.</summary>
/// <param name="Code">The gRPC status code.</param>
/// <param name="Message">The message for the user: what is wrong, and what is allowed.</param>
/// <param name="Cause">
/// The value of the <c>err</c> trailer, which distinguishes errors with the same status code; null if the error has no such trailer.
/// </param>
internal sealed record CallError(StatusCode Code, string Message, string? Cause = null)
{
    /// <summary>The name of the trailer that contains <see cref="Cause"/>.</summary>
    public const string CauseTrailer = "err";

    /// <summary>
    /// The cause of an error that guarantees that the call was not executed. The client may therefore retry any call that fails with this cause.
    /// </summary>
    public const string NotExecuted = "not_executed";

    public static readonly CallError Malformed = new(StatusCode.InvalidArgument, "the request is not a valid message for this call");
    public static readonly CallError EmptyKey = new(StatusCode.InvalidArgument, "the key is empty; it must be at least 1 byte");
    public static readonly CallError NoCondition = new(StatusCode.InvalidArgument, "the request has no condition; set one");
    public static readonly CallError NoTtlChange = new(
        StatusCode.InvalidArgument,
        "the request has no TTL; set increase_to_ms, decrease_to_ms or overwrite_to_ms");
    public static readonly CallError NotAnInteger = new(
        StatusCode.FailedPrecondition,
        "the value is not a 64-bit decimal integer, so it cannot be incremented");
    public static readonly CallError Overflow = new(StatusCode.FailedPrecondition, "the increment would overflow a 64-bit integer; the value was not changed");
    public static readonly CallError WrongType = new(StatusCode.FailedPrecondition, "the key holds an item of another type; the item was not changed");
    public static readonly CallError PastDeadline = new(StatusCode.DeadlineExceeded, "the deadline passed before the call started; it was not executed");
    public static readonly CallError Resuming = new(
        StatusCode.Unavailable,
        "the server process was paused, so it is unknown how long this call has waited; the call was not executed; try again",
        NotExecuted);
    public static readonly CallError NoMemory = new(
        StatusCode.ResourceExhausted,
        "the operating system refused to allocate memory for this item; the stored item was not changed");
    public static readonly CallError NoCacheName = new(StatusCode.InvalidArgument, "the cache name is missing; pass it in the 'cache' metadata");

    /// <summary>An internal signal that the response is too large for this transport. The client never receives this error.</summary>
    public static readonly CallError UseUnary = new(StatusCode.ResourceExhausted, "the response is too large for a pipeline");

    /// <summary>
    /// An internal signal that the call must run on a worker, because it takes too long for this thread. The client never receives this error.
    /// </summary>
    public static readonly CallError Deferred = new(StatusCode.Internal, "the call must run on a worker");

    public static readonly CallError Stopped = new(StatusCode.DeadlineExceeded, "the deadline passed while the call was running; nothing was changed");

    public static readonly CallError Fault = new(StatusCode.Internal, "internal server error; see the server's log");

    public static readonly CallError Cancelled = new(StatusCode.Cancelled, "the client cancelled the call; nothing was changed", NotExecuted);

    public static readonly CallError NoBuffer = new(
        StatusCode.ResourceExhausted,
        "the server does not have enough memory for a response of this size; try again later",
        RpcException.MemoryLimitCause);

    public static CallError CacheNotFound(string name) =>
        new(StatusCode.NotFound, $"cache '{name}' does not exist; create it first");

    public static CallError ItemTooLarge(long itemBytes, int limitBytes) =>
        new(
            StatusCode.ResourceExhausted,
            $"request limit exceeded: key and value are {itemBytes} bytes, but at most {limitBytes} are allowed",
            "request_size_limit_exceeded");

    public static CallError PrefixTooLong(int bytes, int limitBytes) =>
        new(StatusCode.InvalidArgument, $"the prefix is {bytes} bytes, but at most {limitBytes} are allowed");

    public static CallError BadTtl(ulong ttlMs, long maxTtlMs) =>
        new(StatusCode.InvalidArgument, $"the TTL must be 1 to {maxTtlMs} ms (the server's --max-ttl), but is {ttlMs} ms");
}
