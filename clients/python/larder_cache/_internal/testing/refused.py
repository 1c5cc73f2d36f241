"""Errors with which the fake rejects calls."""

from __future__ import annotations

from larder_cache.errors import ErrorCode

TOO_LARGE = "request_size_limit_exceeded"


class Refused(Exception):
    """A call fails with this code and cause."""

    def __init__(self, code: ErrorCode, message: str, cause: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.cause = cause


def invalid(message: str) -> Refused:
    """Return the error for an argument that is always invalid."""
    return Refused(ErrorCode.INVALID_ARGUMENT, message)


def wrong_type() -> Refused:
    """Return the error for a key with an item of another type (COLL-1, COLL-3)."""
    return Refused(ErrorCode.FAILED_PRECONDITION, "the key holds an item of another type; it was not changed")


def too_large(message: str) -> Refused:
    """Return the error for a request over a size limit (LIM-2, COLL-5, COLL-6)."""
    return Refused(ErrorCode.LIMIT_EXCEEDED, f"request limit exceeded: {message}", TOO_LARGE)
