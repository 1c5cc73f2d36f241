"""What callers write, as the bytes and numbers that travel; refusals for what must not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union, cast

from larder_cache import responses as r
from larder_cache.errors import ErrorCode
from larder_cache.ttl import Ttl, ttl_to_ms

# Text is sent as UTF-8.
Key = Union[str, bytes]
Value = Union[str, bytes]

# A key, its value, and its own time to live where it has one.
BatchItem = Union[tuple[Key, Value], tuple[Key, Value, Union[Ttl, None]]]


def to_bytes(data: Any) -> bytes:
    """Return a key or a value as bytes. Raises TypeError where it is neither text nor bytes."""
    if data.__class__ is bytes:
        return data
    if isinstance(data, str):
        return data.encode()
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(cast(bytes, data))
    raise TypeError(f"keys and values are text or bytes, not {type(data).__name__}")


def to_ttl_ms(ttl: Ttl) -> int | r.Error:
    """Return a time to live in milliseconds, or the refusal of one outside its range."""
    try:
        return ttl_to_ms(ttl)
    except ValueError as error:
        return invalid(str(error))


def to_items(items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem]) -> Iterable[BatchItem]:
    """Return a batch's items as tuples."""
    return cast(Iterable[BatchItem], items.items()) if isinstance(items, Mapping) else items


def invalid(message: str) -> r.Error:
    """Return the refusal of an argument."""
    return r.Error(ErrorCode.INVALID_ARGUMENT, message)


def refused(cache: str) -> r.Error:
    """Return the refusal of an empty key, or of a blank cache name."""
    return invalid("a key has at least one byte" if cache.strip() else "a cache name is not empty or blank")
