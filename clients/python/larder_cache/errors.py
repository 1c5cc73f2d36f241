"""Error codes and causes: the same small set in every Larder client (spec ERR-2)."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class ErrorCode(enum.Enum):
    """What went wrong, as far as a caller can act on it. The value is the name shared by all clients."""

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
    # What is stored is not what a typed cache's codec reads; no server says so.
    DECODING_FAILED = "DecodingFailed"


class CacheError(Exception):
    """A failure that a call of `CacheClient` or `Cache` raises, or an adapter of a framework.

    `code` says what a caller can do about it, `message` helps its reader diagnose, `cause` is the
    server's machine-readable reason where it gave one (`request_size_limit_exceeded`, say).
    """

    def __init__(self, code: ErrorCode, message: str, cause: str | None = None) -> None:
        super().__init__(f"{code.value}: {message}")
        self.code = code
        self.message = message
        self.cause = cause

    def __reduce__(self) -> tuple[type[CacheError], tuple[ErrorCode, str, str | None]]:
        # An exception is made again from its text alone, unless it says otherwise.
        return type(self), (self.code, self.message, self.cause)


CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = 1, 2, 3, 4, 5
PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, UNIMPLEMENTED, INTERNAL = 7, 8, 9, 12, 13
UNAVAILABLE, UNAUTHENTICATED = 14, 16

# gRPC status code → error code; any other is UNKNOWN.
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
    """One attempt that failed, inside the client: a gRPC status, and whether the call provably never ran."""

    status: int
    message: str
    cause: str | None = None
    not_executed: bool = False
    # The client's own verdict, where it is not the status's: its queue was full, its deadline passed.
    code: ErrorCode | None = None
    # The number of the provider's token that was shown, where the server refused it.
    shown: int | None = None
    # What a provider of tokens raised.
    exception: BaseException | None = field(default=None, repr=False)
    # No answer came, and the connection received nothing else meanwhile either: it may be gone.
    silent: bool = False

    @property
    def error_code(self) -> ErrorCode:
        return self.code or code_of_status(self.status)
