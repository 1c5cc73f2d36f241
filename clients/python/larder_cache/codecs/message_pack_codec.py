"""MessagePack, by the package msgpack: `larder-cache[messagepack]`."""

from __future__ import annotations

import importlib
from typing import Any

from larder_cache.codecs import codec
from larder_cache.codecs.codec import DecodingError
from larder_cache.codecs.map_keys import check_keys
from larder_cache.codecs.message_pack_lengths import check_lengths

# The decoder makes room for as many items as an array says it has, and arrays nest: 1,024 of them with such a claim
# take 32 MiB. Payloads with longer ones are looked through first, which takes about as long as decoding them.
_MOST_UNCHECKED = 4_096


class MessagePackCodec:
    """Values of what MessagePack can say; a tuple comes back as a list. Extensions are read as msgpack's own types."""

    content = codec.MESSAGE_PACK

    def __init__(self) -> None:
        """ImportError where the package is not there."""
        try:
            self._msgpack: Any = importlib.import_module("msgpack")
        except ImportError:
            raise ImportError("MessagePackCodec needs the package msgpack: pip install msgpack") from None

    def encode(self, value: Any, /) -> bytes:
        """As Codec. TypeError for what MessagePack cannot say, and for dictionaries whose keys are no text."""
        try:
            check_keys(value, (str, bytes))
            packed: bytes = self._msgpack.packb(value)
            return packed
        except (ValueError, OverflowError, RecursionError) as error:
            # A number of more than 64 bits, a circle, half of a surrogate pair.
            raise TypeError(f"a value cannot be MessagePack: {type(error).__name__}") from None

    def decode(self, payload: bytes, /) -> Any:
        """As Codec."""
        try:
            return self._read(payload, _MOST_UNCHECKED)
        except Exception:
            pass  # Which of its lengths is at fault is found out below, or that none is.
        check_lengths(payload)
        try:
            return self._read(payload, len(payload))
        except Exception as error:
            raise DecodingError(f"it is no MessagePack: {type(error).__name__}") from None

    def _read(self, payload: bytes, most: int) -> Any:
        # Keys are text or bytes, and text is UTF-8. Lengths are bounded by what there is.
        return self._msgpack.unpackb(payload, strict_map_key=True, max_array_len=min(most, len(payload)))
