"""The MessagePack codec, which needs the package msgpack: `larder-cache[messagepack]`."""

from __future__ import annotations

import importlib
from typing import Any

from larder_cache._internal.codecs import codec
from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.limits import MAX_DEPTH, MAX_ELEMENTS, Limits
from larder_cache._internal.codecs.map_keys import check_keys
from larder_cache._internal.codecs.message_pack_lengths import check_lengths

# Before the decoder reads the elements of an array, it allocates memory for the array's announced length. Arrays can be
# nested up to 1,024 levels, and 1,024 arrays of this announced length take 32 MiB. Payloads with longer arrays are
# checked first, which takes about as long as decoding them.
_MOST_UNCHECKED = 4_096
# The first bytes of arrays and maps.
_NESTED = bytes([*range(0x80, 0xA0), *range(0xDC, 0xE0)])


class MessagePackCodec:
    """Stores any MessagePack value. A tuple is read back as a list.

    Extension types are read as the types of the package msgpack.
    """

    content = codec.MESSAGE_PACK

    def __init__(self, *, max_elements: int = MAX_ELEMENTS, max_depth: int = MAX_DEPTH) -> None:
        """Create a codec.

        Args:
            max_elements: Maximum number of elements of a value, 1 to 2,147,483,647; the default is 1,000,000. The value
                itself, each list item, and each key and each value of a dictionary count as one.
            max_depth: Maximum nesting of lists and dictionaries, 1 to 1,024; the default is 512.

        Decoding a value that exceeds a limit is a decoding error, which is detected before objects are created.
        Encoding such a value raises TypeError.

        Raises:
            ImportError: The package msgpack is not installed.
        """
        self._limits = Limits(max_elements, max_depth)
        try:
            self._msgpack: Any = importlib.import_module("msgpack")
        except ImportError:
            raise ImportError(
                "MessagePackCodec needs the package msgpack, which is not installed; run: pip install msgpack"
            ) from None

    def encode(self, value: Any, /) -> bytes:
        """Encode a value.

        Raises:
            TypeError: MessagePack cannot represent the value, or a dictionary key is neither text nor bytes.
        """
        try:
            check_keys(value, (str, bytes))
            packed: bytes = self._msgpack.packb(value)
            if self._may_exceed(packed):
                check_lengths(packed, self._limits)
            return packed
        except DecodingError as excess:
            raise TypeError(f"the value cannot be stored, because decoding it would fail: {excess}") from None
        except (ValueError, OverflowError, RecursionError) as error:
            # The value contains an integer of more than 64 bits, a reference cycle, or half of a surrogate pair.
            raise TypeError(f"the value cannot be encoded as MessagePack: {type(error).__name__}") from None

    def decode(self, payload: bytes, /) -> Any:
        """Decode a value."""
        if not self._may_exceed(payload):
            try:
                return self._read(payload, _MOST_UNCHECKED)
            except Exception:
                pass  # The check below finds the invalid length, if a length is the reason.
        check_lengths(payload, self._limits)
        try:
            return self._read(payload, len(payload))
        except Exception as error:
            raise DecodingError(f"the value is not valid MessagePack ({type(error).__name__})") from None

    def _may_exceed(self, payload: bytes) -> bool:
        # Each element takes at least one byte. Each nesting level starts with one of the bytes in `_NESTED`. Strings
        # may also contain these bytes, so this method may return True for a payload within the limits.
        if len(payload) > self._limits.max_elements:
            return True
        if len(payload) <= self._limits.max_depth:
            return False
        return len(payload) - len(payload.translate(None, _NESTED)) > self._limits.max_depth

    def _read(self, payload: bytes, most: int) -> Any:
        # Dictionary keys must be text or bytes, and text must be UTF-8. Lengths are limited by the payload's size.
        return self._msgpack.unpackb(payload, strict_map_key=True, max_array_len=min(most, len(payload)))
