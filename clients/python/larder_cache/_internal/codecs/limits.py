"""Limits of JSON and MessagePack values (CODEC-10), and the check of JSON before it is parsed."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable
from typing import Any

from larder_cache._internal.codecs.codec import DecodingError

# An empty dictionary takes 80 bytes of memory, and its slot in a list takes 8, so 1,000,000 of them stay below 100 MB.
# An item (5,000,192 bytes, LIM-1) could contain five times as many elements.
MAX_ELEMENTS = 1_000_000
# msgpack writes at most 511 nesting levels.
MAX_DEPTH = 512
_LARGEST_MAX_ELEMENTS = 2**31 - 1
# The package msgpack reads at most 1,024 nesting levels. The json module reads about the same number.
_LARGEST_MAX_DEPTH = 1_024
# The maximum number of digits of an integer. Equal to Python's default limit, which a program can disable. A limit is
# needed because converting digits takes quadratic time.
_MAX_DIGITS = 4_300

# The number of bytes scanned at a time. It limits the number of short temporary objects.
_CHUNK_BYTES = 65_536
_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def _whole(name: str, given: Any, most: int) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"{name} must be an integer, not {type(given).__name__}")
    if not 1 <= given <= most:
        raise ValueError(f"{name} must be from 1 to {most:,}, not {given!r:.40}")
    return given


class Limits:
    """The limits of a codec for encoding and decoding.

    The constructor raises TypeError or ValueError for invalid limits.
    """

    def __init__(self, max_elements: int = MAX_ELEMENTS, max_depth: int = MAX_DEPTH) -> None:
        self.max_elements = _whole("max_elements", max_elements, _LARGEST_MAX_ELEMENTS)
        self.max_depth = _whole("max_depth", max_depth, _LARGEST_MAX_DEPTH)

    def too_many(self) -> DecodingError:
        """Return the error for too many elements."""
        return DecodingError(f"the value has more than {self.max_elements:,} elements (max_elements)")

    def too_deep(self) -> DecodingError:
        """Return the error for too many levels."""
        return DecodingError(f"the value is nested more than {self.max_depth:,} levels deep (max_depth)")


DEFAULT = Limits()


def check_json(payload: bytes, limits: Limits) -> None:
    """Raise DecodingError if JSON exceeds the limits.

    Invalid JSON may pass this check, because the parser rejects it later.
    """
    # JSON of n bytes contains at most (n + 1) / 2 elements. Truncated JSON may open up to n levels.
    if len(payload) <= limits.max_depth and len(payload) < 2 * limits.max_elements:
        return
    opened = _opened(payload)
    if opened <= limits.max_depth and _elements(payload, opened) <= limits.max_elements:
        return
    # Strings may contain brackets, commas and colons. Check again without the strings before reporting an error.
    bare = _strip_text(payload)
    opened = _opened(bare)
    if _elements(bare, opened) - bare.count(b"[]") - bare.count(b"{}") > limits.max_elements:
        raise limits.too_many()
    if opened > limits.max_depth and _depth(bare, opened) > limits.max_depth:
        raise limits.too_deep()


def parse_json(payload: bytes, limits: Limits = DEFAULT, **options: Any) -> Any:
    """Parse JSON within the limits.

    Args:
        options: Arguments of json.loads.

    Raises:
        DecodingError: The JSON exceeds a limit.
        ValueError: The JSON is invalid.
    """
    check_json(payload, limits)
    try:
        return json.loads(payload.decode(), parse_int=_parse_int(), **options)
    except RecursionError:
        raise DecodingError("the JSON of the value is nested too deeply") from None


def dump_json(value: Any, **options: Any) -> bytes:
    """Return a value as JSON that parse_json accepts. `options` are arguments of json.dumps.

    Raises:
        TypeError: The value exceeds a limit.
    """
    payload = json.dumps(value, **options).encode()
    try:
        check_json(payload, DEFAULT)
    except DecodingError as excess:
        raise TypeError(f"the value cannot be stored, because decoding it would fail: {excess}") from None
    return payload


def _strip_text(payload: bytes) -> bytes:
    """Return JSON without whitespace and without the contents of strings. One or two quotes remain of each string."""
    # Remove escaped characters, so that each remaining quote begins or ends a string.
    quoted = payload.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, b" \t\r\n")
    bare: list[bytes] = []
    is_text = 0
    for at in range(0, len(quoted), _CHUNK_BYTES):
        parts = quoted[at : at + _CHUNK_BYTES].split(b'"')
        if is_text:
            bare.append(b'"')
        bare.append(b'"'.join(parts[is_text::2]))
        is_text = (is_text + len(parts) - 1) % 2
    return b"".join(bare)


def _opened(payload: bytes) -> int:
    return payload.count(b"[") + payload.count(b"{")


def _elements(payload: bytes, opened: int) -> int:
    # Count the root, one element after each comma and colon, and the first element of each array and object. An empty
    # array or object is also counted as if it had one element.
    return 1 + payload.count(b",") + payload.count(b":") + opened


def _depth(bare: bytes, opened: int) -> int:
    # Valid JSON closes as many brackets as it opens. Further brackets make it invalid, so they are not scanned.
    brackets = bare.translate(None, _NOT_BRACKETS)[: 2 * opened]
    return max(itertools.accumulate(map(_STEPS.__getitem__, brackets)))


def _parse_int() -> Callable[[str], int] | None:
    # None selects the built-in int, which is faster. This is possible only if Python already rejects long numbers.
    return None if 0 < sys.get_int_max_str_digits() <= _MAX_DIGITS else _int_of


def _int_of(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise DecodingError(f"the value contains a number with more than {_MAX_DIGITS:,} digits")
    return int(digits)
