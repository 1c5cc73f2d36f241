"""The decoded values that a typed cache keeps in the near cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.envelope import Envelope
from larder_cache._internal.near.near_copies import KeptObject
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.arguments import Key, Refusal, to_key
from larder_cache._internal.operations.typed_responses import TypedHit

V = TypeVar("V")

# Values of these types cannot be changed, so callers can share them.
_IMMUTABLE = frozenset((str, bytes, int, float, bool, type(None)))


class KeptObjects(Generic[V]):
    """Finds and keeps decoded values for one typed cache. Thread-safe."""

    def __init__(
        self, envelope: Envelope[V], keep_objects: bool | None, object_bytes: Callable[[V], int] | None
    ) -> None:
        """Create the object.

        Args:
            envelope: Decodes values.
            keep_objects: Whether values are kept. None selects values of immutable types.
            object_bytes: Returns the size of a kept value in bytes. None selects the size of the encoded value.
        """
        if keep_objects is not None and type(keep_objects) is not bool:
            raise TypeError(f"keep_objects must be True, False or None, not {type(keep_objects).__name__}")
        if object_bytes is not None and not callable(object_bytes):
            raise TypeError("object_bytes must be a function")
        self._envelope = envelope
        self._keep_objects = keep_objects
        self._object_bytes = object_bytes

    def find(self, near: NearReads, cache: str, key: Key) -> TypedHit[V] | None:
        """Return the near cache's value of a key. Decode and keep it if this is the first read of the copy.

        Returns None if there is no copy, if its value cannot be decoded, or if values are not kept.
        """
        if self._keep_objects is False:
            return None
        try:
            copy = near.find_copy(cache, to_key(key))
        except Refusal:
            return None
        if copy is None:
            return None
        kept = copy.decoded
        if kept is not None and self._envelope.decodes_like(kept.decoder):
            return TypedHit(kept.value)
        try:
            value = self._envelope.decode(copy.value)
        except DecodingError:
            return None
        if self._keep_objects or type(value) in _IMMUTABLE:
            near.attach(copy, KeptObject(self._envelope, value), self._size(value, len(copy.value)))
        return TypedHit(value)

    def _size(self, value: V | None, encoded_bytes: int) -> int:
        if self._object_bytes is None or value is None:
            return encoded_bytes
        size: Any = self._object_bytes(value)
        if type(size) is not int or size < 0:
            raise ValueError(f"object_bytes must return a number of bytes, 0 or more, not {size!r:.40}")
        return size
