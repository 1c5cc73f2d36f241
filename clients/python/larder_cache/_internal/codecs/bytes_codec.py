"""The codec of plain bytes."""

from __future__ import annotations

from typing import Any, cast

from larder_cache._internal.codecs import codec


class BytesCodec:
    """Stores bytes unchanged."""

    content = codec.BYTES

    def encode(self, value: bytes, /) -> bytes:
        """Encode a value.

        Raises:
            TypeError: The value is not bytes. Use TextCodec for text.
        """
        given: Any = value
        if not isinstance(given, (bytes, bytearray, memoryview)):
            raise TypeError(f"a value of this cache must be bytes, not {type(given).__name__}; for str, use TextCodec")
        return bytes(cast(bytes, given))

    def decode(self, payload: bytes, /) -> bytes:
        """Decode a value."""
        return payload
