"""Compares the length of a response's body with its `content-length` (RFC 9113, section 8.1.1)."""

from __future__ import annotations

import re

# Fifteen digits at most, so the number is below 2^53, which has sixteen digits.
_LENGTH = re.compile(r"[0-9]{1,15}", re.ASCII)
BROKEN_LENGTH = "the length of the response differs from its content-length"


def length_of(headers: dict[str, str]) -> int | None:
    """Return the length in a response's headers, None if there is no length, or -1 if it is invalid."""
    told = headers.get("content-length")
    if told is None:
        return None
    return int(told) if _LENGTH.fullmatch(told) else -1
