"""The envelope around each value of a typed cache (CODEC-1 to CODEC-6)."""

from __future__ import annotations

import zlib
from typing import Any, Generic, TypeVar, cast

from larder_cache._internal.codecs import codec
from larder_cache._internal.codecs.codec import Codec, DecodingError
from larder_cache._internal.operations.arguments import Refusal

V = TypeVar("V")

# The default maximum size of a decoded value. An item has at most 5,000,192 bytes (LIM-1). The limit therefore allows
# every uncompressed value, and compressed values that are up to 1.6 times as large. Source: CODEC-5.
MOST_DECODED_BYTES = 8 << 20

_BEGIN = b"\xc1\x4c\x01"
# The size of the header: the marker, one byte for the content type, and one byte for the compression.
_HEAD_BYTES = 5
# The size of the field that contains the uncompressed length.
_LENGTH_BYTES = 4
_NO_VALUE = 0
_PLAIN, _ZLIB = 0, 1


class Envelope(Generic[V]):
    """Encodes and decodes envelopes. Thread-safe."""

    def __init__(self, of: Codec[V], compress_above: int | None, max_decoded_bytes: int) -> None:
        """Create an envelope for one codec.

        Args:
            of: The codec.
            compress_above: The size in bytes above which values are compressed. None disables compression.
            max_decoded_bytes: The maximum size of a decoded value in bytes.

        Raises:
            ValueError: An argument is out of range.
        """
        content: Any = of.content
        is_known = isinstance(content, int) and (
            codec.BYTES <= content <= codec.MESSAGE_PACK or codec.FIRST_OF_USERS <= content <= codec.LAST_OF_USERS
        )
        if not is_known:
            raise ValueError(f"codec.content must be from 128 to 255 (1 to 4 for built-in codecs), not {content!r:.40}")
        self._codec = of
        self._head = _BEGIN + bytes([content])
        self._compress_above = None if compress_above is None else _whole("compress_above", compress_above, 0)
        # The maximum is limited, because the length field has four bytes.
        self._most_bytes = _whole("max_decoded_bytes", max_decoded_bytes, 1)

    def decodes_like(self, other: object) -> bool:
        """Return whether the other object is an envelope with the same codec and the same maximum size."""
        if not isinstance(other, Envelope):
            return False
        envelope = cast("Envelope[Any]", other)
        return envelope._codec is self._codec and envelope._most_bytes == self._most_bytes

    def encode(self, value: V | None) -> bytes:
        """Return the bytes to store.

        Raises the exceptions of the codec. Raises Refusal if the value is too long to be decoded again.
        """
        if value is None:
            return _BEGIN + bytes([_NO_VALUE, _PLAIN])
        payload: Any = self._codec.encode(value)
        if not isinstance(payload, bytes):
            raise TypeError(f"codec.encode must return bytes, not {type(payload).__name__}")
        if len(payload) > self._most_bytes:
            raise Refusal(
                f"the encoded value has {len(payload):,} bytes; max_decoded_bytes allows {self._most_bytes:,}"
            )
        if self._compress_above is not None and len(payload) > self._compress_above:
            compressed = zlib.compress(payload)
            if _LENGTH_BYTES + len(compressed) < len(payload):
                length = len(payload).to_bytes(_LENGTH_BYTES, "big")
                return b"".join((self._head, bytes([_ZLIB]), length, compressed))
        return b"".join((self._head, bytes([_PLAIN]), payload))

    def decode(self, stored: bytes) -> V | None:
        """Return the value. Raises DecodingError if the value cannot be decoded, and no other exception."""
        if len(stored) < _HEAD_BYTES or stored[:3] != _BEGIN:
            raise DecodingError(
                "the value has no envelope of a supported version; "
                "it was not stored by a typed cache, or it was stored by a newer version of the client"
            )
        content, compression = stored[3], stored[4]
        if content == _NO_VALUE:
            if compression != _PLAIN or len(stored) != _HEAD_BYTES:
                raise DecodingError("the envelope of None must have no payload and no compression")
            return None
        if content != self._head[3]:
            raise DecodingError(
                f"the value has content type {content}, but this codec reads {self._head[3]}; use the matching codec"
            )
        payload = self._payload(stored, compression)
        try:
            return self._codec.decode(payload)
        except DecodingError:
            raise
        except Exception as error:
            # A custom codec may raise any exception for invalid bytes. Do not include its message, because it may
            # contain the value.
            raise DecodingError(f"codec.decode raised {type(error).__name__}") from None

    def _payload(self, stored: bytes, compression: int) -> bytes:
        if compression == _PLAIN:
            self._check(len(stored) - _HEAD_BYTES)
            return stored[_HEAD_BYTES:]
        if compression != _ZLIB:
            raise DecodingError(
                f"the value has compression {compression}, which this version of the client does not support"
            )
        first = _HEAD_BYTES + _LENGTH_BYTES
        if len(stored) < first:
            raise DecodingError("the length field of the value is truncated")
        length = int.from_bytes(stored[_HEAD_BYTES:first], "big")
        self._check(length)
        return _decompressed(memoryview(stored)[first:], length)

    def _check(self, length: int) -> None:
        if length > self._most_bytes:
            raise DecodingError(
                f"the decoded value has {length:,} bytes; at most {self._most_bytes:,} are allowed (max_decoded_bytes)"
            )


def _decompressed(compressed: memoryview, length: int) -> bytes:
    inflate = zlib.decompressobj()
    try:
        # Allow one byte more than announced, to detect a longer value. The buffer grows as data arrives. (A limit of 0
        # would mean unlimited.)
        payload = inflate.decompress(compressed, length + 1)
    except (zlib.error, MemoryError) as error:
        raise DecodingError(f"the value cannot be decompressed: {type(error).__name__}") from None
    if len(payload) != length or not inflate.eof or inflate.unused_data:
        raise DecodingError("the length of the decompressed value differs from the length field")
    return payload


def _whole(name: str, given: Any, least: int) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"{name} must be an integer (bytes), not {type(given).__name__}")
    if not least <= given < 2**32:
        raise ValueError(f"{name} must be from {least} to 4,294,967,295 bytes, not {given!r:.40}")
    return given
