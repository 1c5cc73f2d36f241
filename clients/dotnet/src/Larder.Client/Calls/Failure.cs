using Larder.Wire;

namespace Larder.Client.Calls;

/// <summary>The reason why one attempt of a call failed, as reported by the transport.</summary>
internal readonly struct Failure
{
    public Failure(StatusCode code, string message)
    {
        Code = code;
        Message = message;
    }

    public StatusCode Code { get; }

    public string Message { get; }

    /// <summary>
    /// Gets the machine-readable cause: the server's <c>err</c> trailer or the cause in the pipeline's response. Null if the server sent no cause.
    /// </summary>
    public string? Cause { get; init; }

    public Exception? Exception { get; init; }

    /// <summary>Gets whether it is certain that the server did not run the call. If true, even a call that is not idempotent may be retried.</summary>
    public bool NotProcessed { get; init; }

    /// <summary>Gets whether the call was not sent because there was no connection.</summary>
    public bool NeverSent { get; init; }

    /// <summary>Gets whether the call's stream was lost while another stream to the same server was open. The call may then move to it (PIPE-22).</summary>
    public bool HasOtherStream { get; init; }

    /// <summary>Gets the version of the provider's token that was sent, or 0 if there is no provider or the version is unknown.</summary>
    public int Shown { get; init; }

    /// <summary>
    /// Gets whether waiting for a connection has already exceeded the grace period. If true, calls fail immediately instead of being retried.
    /// </summary>
    public bool FailFast { get; init; }

    public static Failure From(RpcException exception) => new(exception.Status.Code, exception.Status.Message)
    {
        Cause = exception.FindTrailer(RpcException.CauseTrailer),
        NotProcessed = exception.NotProcessed,
        Exception = exception.InnerException,
    };

    public static Failure NotConnected(string message, Exception? exception, bool failFast) => new(StatusCode.Unavailable, message)
    {
        NotProcessed = true,
        NeverSent = true,
        FailFast = failFast,
        Exception = exception,
    };

    /// <summary>Creates the failure for a response that could not be parsed.</summary>
    public static Failure Unreadable(Exception exception) => new(StatusCode.DataLoss, exception.Message) { Exception = exception };

    /// <summary>Returns the public error code for a status (ERR-2).</summary>
    public static CacheErrorCode CodeOf(StatusCode status) => status switch
    {
        StatusCode.InvalidArgument or StatusCode.OutOfRange => CacheErrorCode.InvalidArgument,
        StatusCode.NotFound => CacheErrorCode.NotFound,
        StatusCode.AlreadyExists => CacheErrorCode.AlreadyExists,
        StatusCode.PermissionDenied => CacheErrorCode.PermissionDenied,
        StatusCode.Unauthenticated => CacheErrorCode.Unauthenticated,
        StatusCode.ResourceExhausted => CacheErrorCode.LimitExceeded,
        StatusCode.FailedPrecondition => CacheErrorCode.FailedPrecondition,
        StatusCode.DeadlineExceeded => CacheErrorCode.Timeout,
        StatusCode.Cancelled => CacheErrorCode.Cancelled,
        StatusCode.Unavailable => CacheErrorCode.Unavailable,
        StatusCode.Internal or StatusCode.DataLoss or StatusCode.Aborted => CacheErrorCode.Internal,
        _ => CacheErrorCode.Unknown,
    };
}
