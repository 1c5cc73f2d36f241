namespace Larder.Client;

/// <summary>What went wrong, the same codes in each of Larder's clients. A miss is an answer, not an error.</summary>
public enum CacheErrorCode
{
    /// <summary>A failure of no known kind.</summary>
    Unknown = 0,

    /// <summary>The call itself is wrong: an empty key, a TTL of zero. Fix the input; a retry fails alike.</summary>
    InvalidArgument,

    /// <summary>The cache does not exist. Create it, or mend its name.</summary>
    NotFound,

    /// <summary>A cache of that name exists already.</summary>
    AlreadyExists,

    /// <summary>The token is good, but not for this cache or call.</summary>
    PermissionDenied,

    /// <summary>The token is missing or wrong.</summary>
    Unauthenticated,

    /// <summary>A limit was exceeded; the error's cause says which (item size, rate, throughput).</summary>
    LimitExceeded,

    /// <summary>The item's state does not allow the call: an increment of a value that is no integer.</summary>
    FailedPrecondition,

    /// <summary>The call's deadline passed, in the client's queue or on its way. The server may have done the work.</summary>
    Timeout,

    /// <summary>The caller's token was cancelled, or the client was closed.</summary>
    Cancelled,

    /// <summary>The server could not be reached, or said that it cannot serve now. Retry later.</summary>
    Unavailable,

    /// <summary>The client's own queue is full: more calls are made than the server answers. Make fewer, or raise the limits.</summary>
    ClientOverloaded,

    /// <summary>The server failed in serving the call, or its answer could not be read.</summary>
    Internal,

    /// <summary>What is stored is not what the typed cache's codec reads. Write it anew, or read it with another codec.</summary>
    DecodingFailed,
}
