"""Limits of calls (protocol/spec/limits.md, collections.md)."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache._internal.testing.refused import Refused, invalid, too_large
from larder_cache.errors import ErrorCode

# Source: LIM-1, 4,883 KiB of key and value.
MOST_ITEM_BYTES = 5_000_192
# Source: COLL-6.
MOST_ELEMENTS = 1_048_576
# Source: COLL-8. An element counts 5 bytes in addition to its own, with a field's value 15, with a score 19.
MOST_ANSWER_BYTES = 11_009_024
BESIDE_ELEMENT, BESIDE_FIELD, BESIDE_SCORED = 5, 15, 19


def check_key(key: bytes) -> None:
    """Raise Refused if a key or a collection's name is empty."""
    if not key:
        raise invalid("the key is empty; it must have at least 1 byte")


def check_elements(name: bytes, elements: Iterable[bytes], count: int) -> None:
    """Raise Refused if a request names no collection or exceeds a limit (COLL-5, COLL-6)."""
    check_key(name)
    if count > MOST_ELEMENTS:
        raise too_large(f"at most {MOST_ELEMENTS} elements are allowed in one request")
    size = len(name) + sum(map(len, elements))
    if size > MOST_ITEM_BYTES:
        raise too_large(f"the key and the elements have {size} bytes; at most {MOST_ITEM_BYTES} are allowed")


def check_answer(elements: Iterable[bytes], count: int, beside: int) -> None:
    """Raise Refused if a response would be too large (COLL-8). Called before anything is changed."""
    if sum(map(len, elements)) + count * beside > MOST_ANSWER_BYTES:
        why = f"the response would exceed the limit of {MOST_ANSWER_BYTES} bytes; nothing was changed: request a part"
        raise Refused(ErrorCode.LIMIT_EXCEEDED, why)


class TtlRule:
    """A server's maximum time to live."""

    def __init__(self, most_ms: int) -> None:
        self.most_ms = most_ms

    def check(self, ttl_ms: int) -> None:
        """Raise Refused if this time to live is invalid for an item (TTL-1, TTL-2)."""
        if not 1 <= ttl_ms <= self.most_ms:
            raise invalid(f"the TTL is {ttl_ms} ms; it must be from 1 to {self.most_ms} ms, this server's --max-ttl")

    def check_item(self, key: bytes, value: bytes, ttl_ms: int) -> None:
        """Raise Refused if an item is invalid."""
        check_key(key)
        if len(key) + len(value) > MOST_ITEM_BYTES:
            size = len(key) + len(value)
            raise too_large(f"key and value have {size} bytes; at most {MOST_ITEM_BYTES} are allowed")
        self.check(ttl_ms)
