"""The storage form of one `get_or_set` of a typed cache (made_value.Form).

The form keeps each value that it encoded or checked, so that `value_of` does not decode it again.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.envelope import Envelope
from larder_cache.errors import CacheError, ErrorCode

V = TypeVar("V")


class TypedForm(Generic[V]):
    """The form of one call.

    If another call loaded the value, this form decodes the bytes itself. Two callers therefore never share an object.
    """

    def __init__(self, envelope: Envelope[V]) -> None:
        self._envelope = envelope
        # Decoded values by the identity of the stored bytes. The bytes are kept with the value, so that Python does not
        # reuse their identity.
        self._known: dict[int, tuple[bytes, V | None]] = {}

    def encode(self, value: Any) -> bytes:
        """Encode a value. See `Form.encode`."""
        return self._keep(self._envelope.encode(value), value)

    def decode(self, value: bytes) -> V | None:
        """Return a new object for a stored value. See `Form.decode`."""
        return self._envelope.decode(value)

    def is_usable(self, value: bytes) -> bool:
        """Return whether stored bytes can be decoded. See `Form.is_usable`."""
        try:
            self._keep(value, self._envelope.decode(value))
        except DecodingError:
            return False
        return True

    def value_of(self, stored: bytes) -> V | None:
        """Return the value. Raises CacheError if the codec cannot decode it, even if the same codec encoded it."""
        if (known := self._known.get(id(stored))) is not None:
            return known[1]
        try:
            return self._envelope.decode(stored)
        except DecodingError as error:
            raise CacheError(ErrorCode.DECODING_FAILED, str(error)) from None

    def _keep(self, stored: bytes, value: V | None) -> bytes:
        self._known[id(stored)] = (stored, value)
        return stored
