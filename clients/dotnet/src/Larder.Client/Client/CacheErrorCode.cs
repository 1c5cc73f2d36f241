namespace Larder.Client;

/// <summary>Error codes, the same in each of Larder's clients. A miss is a result, not an error.</summary>
public enum CacheErrorCode
{
    /// <summary>An unknown failure.</summary>
    Unknown = 0,

    /// <summary>An argument is invalid, such as an empty key or a TTL of zero. Fix the argument; a retry fails again.</summary>
    InvalidArgument,

    /// <summary>The cache does not exist. Create it, or correct its name.</summary>
    NotFound,

    /// <summary>A cache with this name already exists.</summary>
    AlreadyExists,

    /// <summary>The token is valid, but does not permit this call or cache.</summary>
    PermissionDenied,

    /// <summary>The token is missing or invalid.</summary>
    Unauthenticated,

    /// <summary>A limit was exceeded. The error's cause names it (item size, rate, throughput).</summary>
    LimitExceeded,

    /// <summary>The item's state does not allow the call, such as an increment of a value that is not an integer.</summary>
    FailedPrecondition,

    /// <summary>The call's deadline passed, in the client's queue or after it was sent. The server may have executed the call.</summary>
    Timeout,

    /// <summary>The caller cancelled the call, or the client was closed.</summary>
    Cancelled,

    /// <summary>The server is unreachable, or cannot serve calls now. Retry later.</summary>
    Unavailable,

    /// <summary>The client's queue is full: calls arrive faster than the server answers them. Make fewer calls, or raise the limits.</summary>
    ClientOverloaded,

    /// <summary>The server failed while it handled the call, or its response could not be parsed.</summary>
    Internal,

    /// <summary>The typed cache's codec cannot decode the stored value. Overwrite the value, or read it with another codec.</summary>
    DecodingFailed,
}
