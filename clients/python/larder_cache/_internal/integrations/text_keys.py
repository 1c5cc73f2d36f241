"""Keys of frameworks, which are any text, as the bytes that a server takes."""

from __future__ import annotations

from typing import Any

# No text's UTF-8 has these bytes, so that none meets another's key: the empty text, which a server has no key for, and
# what stands before the key of a lock.
_EMPTY = b"\xfe"
_LOCK = b"\xff"


def key_of(text: Any) -> bytes:
    """Return a text's key: its UTF-8, with lone surrogates as they are. TypeError where it is no text."""
    if not isinstance(text, str):
        raise TypeError(f"a key is text, not {type(text).__name__}")
    return text.encode("utf-8", "surrogatepass") or _EMPTY


def lock_key_of(text: Any) -> bytes:
    """Return the key of the lock that belongs to a text's key."""
    return _LOCK + key_of(text)
