"""Why the fake refuses a call."""

from __future__ import annotations

from larder_cache.errors import ErrorCode

TOO_LARGE = "request_size_limit_exceeded"


class Refused(Exception):
    """A call is answered by an error of this code, with this cause."""

    def __init__(self, code: ErrorCode, message: str, cause: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.cause = cause


def invalid(message: str) -> Refused:
    """An argument that can never be right."""
    return Refused(ErrorCode.INVALID_ARGUMENT, message)


def wrong_type() -> Refused:
    """The key holds another type (COLL-1, COLL-3)."""
    return Refused(ErrorCode.FAILED_PRECONDITION, "the key holds an item of another type; it is unchanged")


def too_large(message: str) -> Refused:
    """More than a request may carry (LIM-2, COLL-5, COLL-6)."""
    return Refused(ErrorCode.LIMIT_EXCEEDED, f"request limit exceeded: {message}", TOO_LARGE)
