"""The codec of text, as UTF-8."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.codecs import codec


class TextCodec:
    """Stores text as UTF-8."""

    content = codec.TEXT

    def encode(self, value: str, /) -> bytes:
        """Encode a value. Raises TypeError if it is not text or not valid in UTF-8 (half of a surrogate pair)."""
        given: Any = value
        if not isinstance(given, str):
            raise TypeError(f"a value of this cache is text, not {type(given).__name__}")
        try:
            return str.encode(given)
        except UnicodeEncodeError as error:
            raise TypeError(f"a text cannot be UTF-8: {error.reason}") from None

    def decode(self, payload: bytes, /) -> str:
        """Decode a value."""
        try:
            return payload.decode()
        except UnicodeDecodeError as error:
            raise codec.DecodingError(f"it is no UTF-8: {error.reason}") from None
