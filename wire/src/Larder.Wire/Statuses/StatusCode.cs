namespace Larder.Wire;

/// <summary>The result of a call, with the numbers that gRPC uses in <c>grpc-status</c>.</summary>
public enum StatusCode
{
    /// <summary>The call succeeded.</summary>
    Ok = 0,

    /// <summary>The caller cancelled the call.</summary>
    Cancelled = 1,

    /// <summary>An error without a specific code.</summary>
    Unknown = 2,

    /// <summary>The request is invalid regardless of the current state of the system.</summary>
    InvalidArgument = 3,

    /// <summary>The deadline passed before the call completed.</summary>
    DeadlineExceeded = 4,

    /// <summary>The requested resource does not exist.</summary>
    NotFound = 5,

    /// <summary>The resource to create already exists.</summary>
    AlreadyExists = 6,

    /// <summary>The caller is authenticated but is not allowed to make this call.</summary>
    PermissionDenied = 7,

    /// <summary>A limit on size, rate or count was exceeded.</summary>
    ResourceExhausted = 8,

    /// <summary>The system is not in the state that the call requires.</summary>
    FailedPrecondition = 9,

    /// <summary>The call was aborted because of a conflict with a concurrent call.</summary>
    Aborted = 10,

    /// <summary>A value in the call is outside the valid range.</summary>
    OutOfRange = 11,

    /// <summary>The server does not support this call.</summary>
    Unimplemented = 12,

    /// <summary>An internal error: an invariant was violated.</summary>
    Internal = 13,

    /// <summary>The service is currently unavailable; a retry may succeed.</summary>
    Unavailable = 14,

    /// <summary>Data is lost or corrupt.</summary>
    DataLoss = 15,

    /// <summary>The caller's credentials are missing or invalid.</summary>
    Unauthenticated = 16,
}
