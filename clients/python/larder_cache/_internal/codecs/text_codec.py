"""Text, as UTF-8."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.codecs import codec


class TextCodec:
    """Values are text."""

    content = codec.TEXT

    def encode(self, value: str, /) -> bytes:
        """As Codec. TypeError for what is no text, or cannot be UTF-8 (half of a surrogate pair)."""
        given: Any = value
        if not isinstance(given, str):
            raise TypeError(f"a value of this cache is text, not {type(given).__name__}")
        try:
            return str.encode(given)
        except UnicodeEncodeError as error:
            raise TypeError(f"a text cannot be UTF-8: {error.reason}") from None

    def decode(self, payload: bytes, /) -> str:
        """As Codec."""
        try:
            return payload.decode()
        except UnicodeDecodeError as error:
            raise codec.DecodingError(f"it is no UTF-8: {error.reason}") from None
