"""Encodes the keys of frameworks, which may be any text, as keys that a server accepts."""

from __future__ import annotations

from typing import Any

# These bytes do not occur in UTF-8, so they cannot collide with other keys. `_EMPTY` replaces the empty text, which is
# not a valid key. `_LOCK` is the prefix of lock keys.
_EMPTY = b"\xfe"
_LOCK = b"\xff"


def key_of(text: Any) -> bytes:
    """Return the key for a text. The key is the text in UTF-8. Lone surrogates are also encoded.

    Raises:
        TypeError: The text is not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"the key must be str, not {type(text).__name__}")
    return text.encode("utf-8", "surrogatepass") or _EMPTY


def lock_key_of(text: Any) -> bytes:
    """Return the key of the lock that belongs to a text."""
    return _LOCK + key_of(text)
