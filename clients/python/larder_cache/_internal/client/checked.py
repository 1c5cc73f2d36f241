"""Converts errors to exceptions for calls that return plain values."""

from __future__ import annotations

from typing import TypeVar

from larder_cache.responses import Error

T = TypeVar("T")


def checked(answer: T | Error) -> T:
    """Return the response. Raises CacheError if the response is an Error."""
    if isinstance(answer, Error):
        raise answer.to_exception()
    return answer
