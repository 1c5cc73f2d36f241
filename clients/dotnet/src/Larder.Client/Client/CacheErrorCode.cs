namespace Larder.Client;

/// <summary>The error codes of calls. All of Larder's clients use the same codes. A miss is not an error.</summary>
public enum CacheErrorCode
{
    /// <summary>The failure is unknown, or the server does not support the call.</summary>
    Unknown = 0,

    /// <summary>An argument is invalid, such as an empty key or a TTL of zero. Correct the argument. A retry with the same argument fails again.</summary>
    InvalidArgument,

    /// <summary>The cache does not exist. Create it, or correct its name.</summary>
    NotFound,

    /// <summary>A cache with this name already exists.</summary>
    AlreadyExists,

    /// <summary>The token is valid, but does not permit this call or cache.</summary>
    PermissionDenied,

    /// <summary>The token is missing or invalid.</summary>
    Unauthenticated,

    /// <summary>A limit was exceeded. <see cref="CacheError.Cause"/> names the limit, for example the item size or the rate.</summary>
    LimitExceeded,

    /// <summary>The item's state does not allow the call, such as an increment of a value that is not an integer.</summary>
    FailedPrecondition,

    /// <summary>The call's deadline passed before its response arrived. If the call was sent, the server may have executed it.</summary>
    Timeout,

    /// <summary>The caller cancelled the call, or the client was closed.</summary>
    Cancelled,

    /// <summary>The server is unreachable or temporarily cannot handle calls. Retry later.</summary>
    Unavailable,

    /// <summary>
    /// The client's queue is full, because the application makes calls faster than the server responds. Make fewer calls, or raise the limits.
    /// </summary>
    ClientOverloaded,

    /// <summary>The server failed while it handled the call, or its response could not be parsed.</summary>
    Internal,

    /// <summary>The typed cache's codec cannot decode the stored value. Overwrite the value, or read it with another codec.</summary>
    DecodingFailed,
}
