"""The codec of text, as UTF-8."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.codecs import codec


class TextCodec:
    """Stores text as UTF-8."""

    content = codec.TEXT

    def encode(self, value: str, /) -> bytes:
        """Encode a value.

        Raises:
            TypeError: The value is not text, or cannot be encoded as UTF-8 (half of a surrogate pair).
        """
        given: Any = value
        if not isinstance(given, str):
            raise TypeError(f"a value of this cache must be str, not {type(given).__name__}; for bytes, use BytesCodec")
        try:
            return str.encode(given)
        except UnicodeEncodeError as error:
            raise TypeError(f"the string cannot be encoded as UTF-8: {error.reason}") from None

    def decode(self, payload: bytes, /) -> str:
        """Decode a value."""
        try:
            return payload.decode()
        except UnicodeDecodeError as error:
            raise codec.DecodingError(f"the value is not valid UTF-8: {error.reason}") from None
