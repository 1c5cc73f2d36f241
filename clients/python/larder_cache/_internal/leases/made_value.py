"""The result of a factory, and the form in which it is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from larder_cache._internal.operations.arguments import Refusal, to_bytes, to_ttl_ms
from larder_cache.ttl import Ttl


@dataclass(frozen=True, slots=True, repr=False)
class Made:
    """A loaded value. `ttl_ms` is the value's own time to live, or None to use the time to live of the call."""

    value: bytes
    ttl_ms: int | None = None


class Form(Protocol):
    """Encodes and decodes the values that a `get_or_set` call stores."""

    def encode(self, value: Any) -> bytes:
        """Encode a value. Raises TypeError if the value is invalid, and Refusal if it cannot be stored."""
        ...

    def is_usable(self, value: bytes) -> bool:
        """Return whether a stored value can be decoded. A value that cannot be decoded is treated as a miss."""
        ...


class PlainForm:
    """Stores bytes unchanged and text as UTF-8."""

    def encode(self, value: Any) -> bytes:
        """Encode a value. See `Form.encode`."""
        return to_bytes(value)

    def is_usable(self, value: bytes) -> bool:
        """Return True, because any bytes can be decoded. See `Form.is_usable`."""
        return True


PLAIN = PlainForm()


def made(value: Any, form: Form, ttl_of: Callable[[Any], Ttl | None] | None) -> Made:
    """Encode the result of a factory.

    Raises:
        TypeError: The value or the time to live has an invalid type.
        CacheError: The value or the time to live is out of range.
        Exception: The exception that `ttl_of` raised.
    """
    try:
        encoded = form.encode(value)
        own = None if ttl_of is None else ttl_of(value)
        return Made(encoded, None if own is None else to_ttl_ms(own))
    except Refusal as refusal:
        raise refusal.error.to_exception() from None
