"""What a codec is."""

from __future__ import annotations

from typing import Protocol, TypeVar

V = TypeVar("V")

# What CODEC-2 gives a meaning; 0 is no value, and no codec's own.
BYTES, TEXT, JSON, MESSAGE_PACK = 1, 2, 3, 4
FIRST_OF_USERS, LAST_OF_USERS = 128, 255


class DecodingError(ValueError):
    """What is stored is not what a codec reads. Its text says what was wrong, and never the value."""


class Codec(Protocol[V]):
    """One of this package's, or your own: a number and two functions. Safe for threads.

    None is not asked of it: that is stored as "no value", whatever the codec (CODEC-2).
    """

    @property
    def content(self) -> int:
        """What the bytes are, to whoever reads them: 128 to 255 for a form of your own, else that of CODEC-2."""
        ...

    def encode(self, value: V, /) -> bytes:
        """Return a value's bytes. What it raises is the caller's: a TypeError for what cannot be encoded."""
        ...

    def decode(self, payload: bytes, /) -> V | None:
        """Return the value of such bytes, which may be foreign. Whatever it raises is a decoding error."""
        ...
