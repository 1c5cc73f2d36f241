"""Encodes the keys of frameworks, which are any text, as keys that a server accepts."""

from __future__ import annotations

from typing import Any

# Bytes that do not occur in UTF-8, so that no key collides: for the empty text, which is not a valid key, and as the
# prefix of lock keys.
_EMPTY = b"\xfe"
_LOCK = b"\xff"


def key_of(text: Any) -> bytes:
    """Return the key for a text: its UTF-8, with lone surrogates encoded too.

    Raises TypeError if it is not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"the key must be str, not {type(text).__name__}")
    return text.encode("utf-8", "surrogatepass") or _EMPTY


def lock_key_of(text: Any) -> bytes:
    """Return the key of the lock that belongs to a text."""
    return _LOCK + key_of(text)
