using Larder.Wire;

namespace Larder.Client.Calls;

/// <summary>Why one attempt of a call failed, as the transport saw it.</summary>
internal readonly struct Failure
{
    public Failure(StatusCode code, string message)
    {
        Code = code;
        Message = message;
    }

    public StatusCode Code { get; }

    public string Message { get; }

    /// <summary>The server's <c>err</c> trailer or the pipeline's cause; null where it gave none.</summary>
    public string? Cause { get; init; }

    public Exception? Exception { get; init; }

    /// <summary>True where the call provably never ran: any call may be sent again.</summary>
    public bool NotProcessed { get; init; }

    /// <summary>True where there was no connection to send it on.</summary>
    public bool NeverSent { get; init; }

    /// <summary>The number of the provider's token that was shown; 0: there is no provider, or it is not known.</summary>
    public int Shown { get; init; }

    /// <summary>True where waiting for a connection has already taken longer than any call may.</summary>
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

    /// <summary>An answer that arrived and could not be read.</summary>
    public static Failure Unreadable(Exception exception) => new(StatusCode.DataLoss, exception.Message) { Exception = exception };

    /// <summary>The public code of a status (ERR-2).</summary>
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
