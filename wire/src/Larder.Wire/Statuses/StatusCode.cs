namespace Larder.Wire;

/// <summary>How a call ended, by the numbers that gRPC gives in <c>grpc-status</c>.</summary>
public enum StatusCode
{
    /// <summary>The call succeeded.</summary>
    Ok = 0,

    /// <summary>The caller gave the call up.</summary>
    Cancelled = 1,

    /// <summary>An error without a code.</summary>
    Unknown = 2,

    /// <summary>The request is wrong whatever the state of the system.</summary>
    InvalidArgument = 3,

    /// <summary>The call's time was over before it was done.</summary>
    DeadlineExceeded = 4,

    /// <summary>The thing named does not exist.</summary>
    NotFound = 5,

    /// <summary>The thing to create exists.</summary>
    AlreadyExists = 6,

    /// <summary>The caller is known and may not do this.</summary>
    PermissionDenied = 7,

    /// <summary>A limit was met: of size, rate or number.</summary>
    ResourceExhausted = 8,

    /// <summary>The system is not in the state that the call needs.</summary>
    FailedPrecondition = 9,

    /// <summary>The call lost a race with another.</summary>
    Aborted = 10,

    /// <summary>The call went past a valid range.</summary>
    OutOfRange = 11,

    /// <summary>The server does not have this call.</summary>
    Unimplemented = 12,

    /// <summary>An invariant was broken.</summary>
    Internal = 13,

    /// <summary>The service cannot be reached now; trying again may help.</summary>
    Unavailable = 14,

    /// <summary>Data is lost or corrupt.</summary>
    DataLoss = 15,

    /// <summary>The caller did not say who it is, or wrongly.</summary>
    Unauthenticated = 16,
}
