"""Error codes and causes. They are the same in every Larder client (spec ERR-2)."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class ErrorCode(enum.Enum):
    """The kind of a failure. Callers can handle failures with the same code in the same way.

    The value is the code's name, which is the same in all clients.
    """

    INVALID_ARGUMENT = "InvalidArgument"
    NOT_FOUND = "NotFound"
    ALREADY_EXISTS = "AlreadyExists"
    PERMISSION_DENIED = "PermissionDenied"
    UNAUTHENTICATED = "Unauthenticated"
    LIMIT_EXCEEDED = "LimitExceeded"
    FAILED_PRECONDITION = "FailedPrecondition"
    TIMEOUT = "Timeout"
    CANCELLED = "Cancelled"
    UNAVAILABLE = "Unavailable"
    CLIENT_OVERLOADED = "ClientOverloaded"
    INTERNAL = "Internal"
    UNKNOWN = "Unknown"
    # The codec of a typed cache cannot decode the stored value. Only clients report this code.
    DECODING_FAILED = "DecodingFailed"


class CacheError(Exception):
    """The failure of a call of `CacheClient`, `Cache` or a framework adapter.

    Attributes:
        code: The kind of the failure. Callers can use it to decide how to react.
        message: A text for diagnosis.
        cause: The server's machine-readable reason, if it sent one, for example `request_size_limit_exceeded`.
    """

    def __init__(self, code: ErrorCode, message: str, cause: str | None = None) -> None:
        super().__init__(f"{code.value}: {message}")
        self.code = code
        self.message = message
        self.cause = cause

    def __reduce__(self) -> tuple[type[CacheError], tuple[ErrorCode, str, str | None]]:
        # By default an exception is unpickled from its text only.
        return type(self), (self.code, self.message, self.cause)


CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = 1, 2, 3, 4, 5
PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, UNIMPLEMENTED, INTERNAL = 7, 8, 9, 12, 13
UNAVAILABLE, UNAUTHENTICATED = 14, 16

# The error codes by gRPC status code. Any other status is UNKNOWN.
_CODES = {
    CANCELLED: ErrorCode.CANCELLED,
    INVALID_ARGUMENT: ErrorCode.INVALID_ARGUMENT,
    DEADLINE_EXCEEDED: ErrorCode.TIMEOUT,
    NOT_FOUND: ErrorCode.NOT_FOUND,
    6: ErrorCode.ALREADY_EXISTS,
    PERMISSION_DENIED: ErrorCode.PERMISSION_DENIED,
    RESOURCE_EXHAUSTED: ErrorCode.LIMIT_EXCEEDED,
    FAILED_PRECONDITION: ErrorCode.FAILED_PRECONDITION,
    10: ErrorCode.INTERNAL,
    11: ErrorCode.INVALID_ARGUMENT,
    INTERNAL: ErrorCode.INTERNAL,
    UNAVAILABLE: ErrorCode.UNAVAILABLE,
    15: ErrorCode.INTERNAL,
    UNAUTHENTICATED: ErrorCode.UNAUTHENTICATED,
}


def code_of_status(status: int) -> ErrorCode:
    """Return the error code of a gRPC status code (0 to 16)."""
    return _CODES.get(status, ErrorCode.UNKNOWN)


@dataclass(slots=True)
class Failure:
    """One failed attempt. Used only inside the client.

    It contains a gRPC status, and whether the call was certainly not executed.
    """

    status: int
    message: str
    cause: str | None = None
    not_executed: bool = False
    # The client's own code, if it differs from the code of the status. Set for example if the client's queue was full
    # or the deadline passed.
    code: ErrorCode | None = None
    # The version of the provider's token that the server rejected.
    shown: int | None = None
    # The exception that the token provider raised.
    exception: BaseException | None = field(default=None, repr=False)
    # Whether the connection received nothing while the call waited for its response. The connection may be lost.
    silent: bool = False

    @property
    def error_code(self) -> ErrorCode:
        return self.code or code_of_status(self.status)
