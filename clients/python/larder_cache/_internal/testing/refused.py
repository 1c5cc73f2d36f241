"""The errors with which a fake server rejects calls."""

from __future__ import annotations

from larder_cache.errors import ErrorCode

TOO_LARGE = "request_size_limit_exceeded"


class Refused(Exception):
    """Raised if a call must fail with this code, message and cause."""

    def __init__(self, code: ErrorCode, message: str, cause: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.cause = cause


def invalid(message: str) -> Refused:
    """Return the error for an argument that is invalid regardless of the server's state."""
    return Refused(ErrorCode.INVALID_ARGUMENT, message)


def wrong_type() -> Refused:
    """Return the error for a key whose item has another type (COLL-1, COLL-3)."""
    return Refused(ErrorCode.FAILED_PRECONDITION, "the key holds an item of another type; the item was not changed")


def too_large(message: str) -> Refused:
    """Return the error for a request that exceeds a size limit (LIM-2, COLL-5, COLL-6)."""
    return Refused(ErrorCode.LIMIT_EXCEEDED, f"request limit exceeded: {message}", TOO_LARGE)
