"""Converts arguments to the bytes and numbers that are sent, and rejects invalid arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar, Union, cast

from larder_cache import responses as r
from larder_cache._internal.common.cache_name import fault_of
from larder_cache.configuration import MOST_TIMEOUT_S
from larder_cache.errors import ErrorCode
from larder_cache.ttl import Ttl, ttl_to_ms

# A key or value. Text is sent as UTF-8.
Key = Union[str, bytes]
Value = Union[str, bytes]

# A key, its value, and optionally the item's own time to live.
BatchItem = Union[tuple[Key, Value], tuple[Key, Value, Union[Ttl, None]]]

# The maximum number of keys or items in a batch. A maximum is needed because the caller's iterable may be endless.
MOST_ITEMS = 1_000_000
# The size of the largest message that a server reads. Source: LIM-4, 10.5 MB.
MOST_BYTES = 11_010_048

T = TypeVar("T")

# The maximum number of cached names. The cache is limited, because the application chooses the names.
_MOST_NAMES = 1_000


class Refusal(Exception):
    """The value of an argument is invalid. The call returns `error` and is not sent."""

    def __init__(self, message: str, code: ErrorCode = ErrorCode.INVALID_ARGUMENT, cause: str | None = None) -> None:
        super().__init__(message)
        self.error = r.Error(code, message, cause)


def to_bytes(data: Any) -> bytes:
    """Return a key or a value as bytes.

    Raises:
        TypeError: The data is neither text nor bytes.
        Refusal: The text cannot be encoded as UTF-8.
    """
    if data.__class__ is bytes:
        return data
    try:
        if isinstance(data, str):
            # Call the method of `str` itself, because a subclass may override `encode`.
            return str.encode(data)
        if isinstance(data, (bytes, bytearray, memoryview)):
            return bytes(cast(bytes, data))
    except ValueError as error:
        raise Refusal(f"the key or value cannot be encoded: {error}") from None
    raise TypeError(f"keys and values must be str or bytes, not {type(data).__name__}")


def to_key(key: Any) -> bytes:
    """Return a key as bytes. Raises the exceptions of `to_bytes`, and Refusal if the key is empty."""
    key_bytes = key if key.__class__ is bytes else to_bytes(key)
    if not key_bytes:
        raise Refusal("the key must not be empty")
    return key_bytes


def reject_single_string(keys: Iterable[Any]) -> None:
    """Raise TypeError if the keys are a single string. Otherwise its characters would be used as keys."""
    if isinstance(keys, str):
        raise TypeError("keys must be an iterable of str or bytes, not a single str")


def read_keys(keys: Iterable[T]) -> list[T]:
    """Read the keys of an iterable. Stops after the first key beyond the limit.

    The call that uses the keys rejects a batch that exceeds the limit.

    Raises the exceptions of `reject_single_string`.
    """
    reject_single_string(keys)
    return list(islice(keys, MOST_ITEMS + 1))


def to_keys(keys: Iterable[Any]) -> list[bytes]:
    """Return keys as bytes. Raises the exceptions of `to_key`, `at_most` and `reject_single_string`."""
    reject_single_string(keys)
    return [to_key(key) for key in at_most(keys)]


def at_most(items: Iterable[T]) -> list[T]:
    """Read all items of a batch before they are validated. Raises Refusal if there are more than a million."""
    read = list(islice(items, MOST_ITEMS + 1))
    if len(read) > MOST_ITEMS:
        raise Refusal(f"a batch can have at most {MOST_ITEMS:,} items; split it")
    return read


def to_name(cache: Any) -> str:
    """Return a cache's name.

    Raises:
        TypeError: The name is not a string.
        Refusal: The name is blank, too long or not valid UTF-8.
    """
    if not isinstance(cache, str):
        raise TypeError(f"the cache name must be str, not {type(cache).__name__}")
    name = str.__str__(cache)
    fault = fault_of(name)
    if fault is not None:
        raise Refusal(fault)
    return name


class CacheNames(dict[Any, str]):
    """Validated cache names. Maps a text to the same text as a plain `str`.

    Raises the exceptions of `to_name` if a name is invalid.
    """

    def __missing__(self, cache: Any) -> str:
        name = to_name(cache)
        if len(self) >= _MOST_NAMES:
            self.clear()
        self[name] = name
        return name


def to_ttl_ms(ttl: Ttl) -> int:
    """Return a time to live in milliseconds. Raises TypeError for a wrong type, and Refusal if it is out of range."""
    try:
        return ttl_to_ms(ttl)
    except (ValueError, OverflowError) as error:
        raise Refusal(str(error)) from None


def to_int64(what: str, number: Any) -> int:
    """Return a signed 64-bit integer. Raises TypeError if it is not an integer, and Refusal if it is out of range."""
    if not isinstance(number, int):
        raise TypeError(f"{what} must be an integer, not {type(number).__name__}")
    if not -(2**63) <= number < 2**63:
        raise Refusal(f"{what} must be a signed 64-bit integer")
    return int(number)


def to_hash(hash: Any) -> bytes:
    """Return a hash argument as bytes. Raises TypeError if the argument is not bytes."""
    if isinstance(hash, (bytes, bytearray)):
        return bytes(hash)
    raise TypeError(f"the hash must be bytes, not {type(hash).__name__}")


def to_items(items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem]) -> list[BatchItem]:
    """Return the items of a batch as tuples. Raises Refusal if there are more than a million."""
    return at_most(cast(Iterable[BatchItem], items.items()) if isinstance(items, Mapping) else items)


def check_timeout(timeout_s: float) -> None:
    """Raise an exception if the timeout of a call is invalid.

    Raises:
        TypeError: The timeout is not a number.
        Refusal: The timeout is not above 0, or is above 3,600 s.
    """
    if not isinstance(cast(Any, timeout_s), (int, float)) or isinstance(timeout_s, bool):
        raise TypeError(f"timeout_s must be a number of seconds, not {type(timeout_s).__name__}")
    if not 0 < timeout_s <= MOST_TIMEOUT_S:
        raise Refusal(f"timeout_s must be above 0 and at most {MOST_TIMEOUT_S:,} seconds")
