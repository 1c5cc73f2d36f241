"""Bytes as they are."""

from __future__ import annotations

from typing import Any, cast

from larder_cache._internal.codecs import codec


class BytesCodec:
    """Values are bytes."""

    content = codec.BYTES

    def encode(self, value: bytes, /) -> bytes:
        """As Codec. TypeError for what is not bytes: text has a codec of its own."""
        given: Any = value
        if not isinstance(given, (bytes, bytearray, memoryview)):
            raise TypeError(f"a value of this cache is bytes, not {type(given).__name__}")
        return bytes(cast(bytes, given))

    def decode(self, payload: bytes, /) -> bytes:
        """As Codec."""
        return payload
