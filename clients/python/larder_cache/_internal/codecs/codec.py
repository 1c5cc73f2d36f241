"""The interface of codecs."""

from __future__ import annotations

from typing import Protocol, TypeVar

V = TypeVar("V")

# The content types of CODEC-2. The content type 0 means "no value" and belongs to no codec.
BYTES, TEXT, JSON, MESSAGE_PACK = 1, 2, 3, 4
FIRST_OF_USERS, LAST_OF_USERS = 128, 255


class DecodingError(ValueError):
    """The codec cannot decode a stored value. The message describes the problem and does not contain the value."""


class Codec(Protocol[V]):
    """A codec: a content type, `encode` and `decode`. Applications can implement their own. Must be thread-safe.

    A codec never receives None. The cache stores None as "no value", with every codec (CODEC-2).
    """

    @property
    def content(self) -> int:
        """The content type. It is stored with the value, and readers need it to decode the value.

        A custom format uses 128 to 255. Other formats use a content type of CODEC-2.
        """
        ...

    def encode(self, value: V, /) -> bytes:
        """Encode a value.

        Raises:
            TypeError: The value cannot be encoded. The caller of the cache receives this exception.
        """
        ...

    def decode(self, payload: bytes, /) -> V | None:
        """Decode stored bytes. The bytes are untrusted, because any client may have stored them.

        Any exception counts as a decoding error.
        """
        ...
