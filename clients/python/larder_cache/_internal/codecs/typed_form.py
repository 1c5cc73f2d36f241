"""How one `get_or_set` of a typed cache stores and reads (made_value.Form), each value no more than once."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.envelope import Envelope
from larder_cache.errors import CacheError, ErrorCode

V = TypeVar("V")


class TypedForm(Generic[V]):
    """Of one call: what another has shared with it is decoded once more, so that no two callers have one object."""

    def __init__(self, envelope: Envelope[V]) -> None:
        self._envelope = envelope
        # By the identity of what is stored, which is kept with its value, so that it stays the only one.
        self._known: dict[int, tuple[bytes, V | None]] = {}

    def encode(self, value: Any) -> bytes:
        """As Form."""
        return self._keep(self._envelope.encode(value), value)

    def is_usable(self, value: bytes) -> bool:
        """As Form."""
        try:
            self._keep(value, self._envelope.decode(value))
        except DecodingError:
            return False
        return True

    def value_of(self, stored: bytes) -> V | None:
        """Return the value. Raises CacheError where it cannot be read: a codec that does not read what it wrote."""
        if (known := self._known.get(id(stored))) is not None:
            return known[1]
        try:
            return self._envelope.decode(stored)
        except DecodingError as error:
            raise CacheError(ErrorCode.DECODING_FAILED, str(error)) from None

    def _keep(self, stored: bytes, value: V | None) -> bytes:
        self._known[id(stored)] = (stored, value)
        return stored
