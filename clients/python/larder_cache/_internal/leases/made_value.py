"""What a factory makes, and the form in which it is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from larder_cache._internal.operations.arguments import Refusal, to_bytes, to_ttl_ms
from larder_cache.ttl import Ttl


@dataclass(frozen=True, slots=True, repr=False)
class Made:
    """`ttl_ms`: its own time to live; None: the one of the call."""

    value: bytes
    ttl_ms: int | None = None


class Form(Protocol):
    """How the values of one `get_or_set` are stored."""

    def encode(self, value: Any) -> bytes:
        """Return what is stored. Raises TypeError for what is no value, Refusal for what cannot be stored."""
        ...

    def is_usable(self, value: bytes) -> bool:
        """Whether what was stored can be read; what cannot is a miss."""
        ...


class PlainForm:
    """Bytes, and text as UTF-8."""

    def encode(self, value: Any) -> bytes:
        """As Form."""
        return to_bytes(value)

    def is_usable(self, value: bytes) -> bool:
        """As Form."""
        return True


PLAIN = PlainForm()


def made(value: Any, form: Form, ttl_of: Callable[[Any], Ttl | None] | None) -> Made:
    """Return what a factory returned, as it is stored.

    Raises what `ttl_of` raises, TypeError for what is no value or no time to live, CacheError for what cannot be right.
    """
    try:
        encoded = form.encode(value)
        own = None if ttl_of is None else ttl_of(value)
        return Made(encoded, None if own is None else to_ttl_ms(own))
    except Refusal as refusal:
        raise refusal.error.to_exception() from None
