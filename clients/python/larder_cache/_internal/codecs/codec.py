"""The interface of codecs."""

from __future__ import annotations

from typing import Protocol, TypeVar

V = TypeVar("V")

# The content types of CODEC-2; 0 means "no value" and belongs to no codec.
BYTES, TEXT, JSON, MESSAGE_PACK = 1, 2, 3, 4
FIRST_OF_USERS, LAST_OF_USERS = 128, 255


class DecodingError(ValueError):
    """The codec cannot read a stored value. The message describes the problem without the value."""


class Codec(Protocol[V]):
    """A codec of this package or your own: a content type and two functions. Thread-safe.

    It never encodes None, which is stored as "no value" with every codec (CODEC-2).
    """

    @property
    def content(self) -> int:
        """The content type for readers: 128 to 255 for a custom format, else one of CODEC-2."""
        ...

    def encode(self, value: V, /) -> bytes:
        """Encode a value. The caller gets what it raises: a TypeError if the value cannot be encoded."""
        ...

    def decode(self, payload: bytes, /) -> V | None:
        """Decode stored bytes, which may be from anyone. Any exception counts as a decoding error."""
        ...
