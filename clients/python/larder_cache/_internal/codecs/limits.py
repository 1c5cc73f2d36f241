"""Limits of the values of JSON and MessagePack (CODEC-10), and the scan of JSON for them before it is parsed."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable
from typing import Any

from larder_cache._internal.codecs.codec import DecodingError

# An empty dictionary has 80 bytes and its place in a list 8: 1,000,000 of them stay below 100 MB. An item (5,000,192
# bytes, LIM-1) could hold five times as many.
MAX_ELEMENTS = 1_000_000
# msgpack writes at most 511 levels.
MAX_DEPTH = 512
_LARGEST_MAX_ELEMENTS = 2**31 - 1
# msgpack reads at most 1,024 levels, and json about as many.
_LARGEST_MAX_DEPTH = 1_024
# Python's own limit, which a program can switch off. Converting more takes time that grows with their square.
_MAX_DIGITS = 4_300

# Bytes that are looked at together: as many short objects exist at a time, at most.
_CHUNK_BYTES = 65_536
_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def _whole(name: str, given: Any, most: int) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"{name} must be a whole number, not {type(given).__name__}")
    if not 1 <= given <= most:
        raise ValueError(f"{name} must be from 1 to {most:,}, not {given!r:.40}")
    return given


class Limits:
    """What a codec reads and writes at most. Raises TypeError or ValueError for limits out of their ranges."""

    def __init__(self, max_elements: int = MAX_ELEMENTS, max_depth: int = MAX_DEPTH) -> None:
        self.max_elements = _whole("max_elements", max_elements, _LARGEST_MAX_ELEMENTS)
        self.max_depth = _whole("max_depth", max_depth, _LARGEST_MAX_DEPTH)

    def too_many(self) -> DecodingError:
        """Return the error for too many elements."""
        return DecodingError(f"it has more than {self.max_elements:,} elements (max_elements)")

    def too_deep(self) -> DecodingError:
        """Return the error for too many levels."""
        return DecodingError(f"it is nested more than {self.max_depth:,} levels deep (max_depth)")


DEFAULT = Limits()


def check_json(payload: bytes, limits: Limits) -> None:
    """Raise DecodingError for JSON over the limits. What is no JSON may pass: the parser rejects it."""
    # n bytes hold at most (n + 1) / 2 elements, and n levels when they are cut short.
    if len(payload) <= limits.max_depth and len(payload) < 2 * limits.max_elements:
        return
    opened = _opened(payload)
    if opened <= limits.max_depth and _elements(payload, opened) <= limits.max_elements:
        return
    # Text may have brackets, commas and colons too: now without it.
    bare = _without_text(payload)
    opened = _opened(bare)
    if _elements(bare, opened) - bare.count(b"[]") - bare.count(b"{}") > limits.max_elements:
        raise limits.too_many()
    if opened > limits.max_depth and _depth(bare, opened) > limits.max_depth:
        raise limits.too_deep()


def parse_json(payload: bytes, limits: Limits = DEFAULT, **options: Any) -> Any:
    """Return what JSON says. `options`: of json.loads. Raises ValueError: DecodingError past a limit."""
    check_json(payload, limits)
    try:
        return json.loads(payload.decode(), parse_int=_parse_int(), **options)
    except RecursionError:
        raise DecodingError("its JSON is nested too deeply") from None


def dump_json(value: Any, **options: Any) -> bytes:
    """Return a value as JSON that parse_json reads. `options`: of json.dumps. Raises TypeError past a limit."""
    payload = json.dumps(value, **options).encode()
    try:
        check_json(payload, DEFAULT)
    except DecodingError as excess:
        raise TypeError(f"the value cannot be read again as JSON: {excess}") from None
    return payload


def _without_text(payload: bytes) -> bytes:
    """Return JSON without white space and the text of its strings: of each a quote is left, or two."""
    # Then each quote begins a string or ends one.
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
    # One, one more after each comma and colon, and the first of each array and map, as if none was empty.
    return 1 + payload.count(b",") + payload.count(b":") + opened


def _depth(bare: bytes, opened: int) -> int:
    # JSON closes as many as it opens; what closes more is none, and not looked at further.
    brackets = bare.translate(None, _NOT_BRACKETS)[: 2 * opened]
    return max(itertools.accumulate(map(_STEPS.__getitem__, brackets)))


def _parse_int() -> Callable[[str], int] | None:
    # None: int itself, which is faster, where Python refuses long ones by itself.
    return None if 0 < sys.get_int_max_str_digits() <= _MAX_DIGITS else _int_of


def _int_of(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise DecodingError(f"it has a number of more than {_MAX_DIGITS:,} digits")
    return int(digits)
