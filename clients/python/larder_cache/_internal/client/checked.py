"""Converts errors to exceptions, for calls that return plain values."""

from __future__ import annotations

from typing import TypeVar

from larder_cache.responses import Error

T = TypeVar("T")


def checked(answer: T | Error) -> T:
    """Return a response that is not an Error. Raises CacheError for one that is."""
    if isinstance(answer, Error):
        raise answer.to_exception()
    return answer
