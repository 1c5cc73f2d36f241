"""The limits of calls (protocol/spec/limits.md, collections.md)."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache._internal.testing.refused import Refused, invalid, too_large
from larder_cache.errors import ErrorCode

# The maximum size of key and value together. Source: LIM-1, 4,883 KiB.
MOST_ITEM_BYTES = 5_000_192
# The maximum number of elements in a request. Source: COLL-6.
MOST_ELEMENTS = 1_048_576
# The maximum size of a response. Source: COLL-8. The size includes an overhead: 5 bytes for each element, 15 bytes for
# each field with its value, and 19 bytes for each element with its score.
MOST_ANSWER_BYTES = 11_009_024
BESIDE_ELEMENT, BESIDE_FIELD, BESIDE_SCORED = 5, 15, 19


def check_key(key: bytes) -> None:
    """Raise Refused if the key of an item or collection is empty."""
    if not key:
        raise invalid("the key is empty; it must be at least 1 byte")


def check_elements(name: bytes, elements: Iterable[bytes], count: int) -> None:
    """Raise Refused if the name of the collection is empty or the request exceeds a limit (COLL-5, COLL-6)."""
    check_key(name)
    if count > MOST_ELEMENTS:
        raise too_large(f"one request may have at most {MOST_ELEMENTS} elements; split it")
    size = len(name) + sum(map(len, elements))
    if size > MOST_ITEM_BYTES:
        raise too_large(f"the name and the elements are {size} bytes, but at most {MOST_ITEM_BYTES} are allowed")


def check_answer(elements: Iterable[bytes], count: int, beside: int) -> None:
    """Raise Refused if a response would be too large (COLL-8). Must be called before anything is changed."""
    if sum(map(len, elements)) + count * beside > MOST_ANSWER_BYTES:
        why = f"the response would exceed {MOST_ANSWER_BYTES} bytes; nothing was changed; request fewer elements"
        raise Refused(ErrorCode.LIMIT_EXCEEDED, why)


class TtlRule:
    """Checks times to live against the maximum of a server."""

    def __init__(self, most_ms: int) -> None:
        self.most_ms = most_ms

    def check(self, ttl_ms: int) -> None:
        """Raise Refused if a time to live is invalid for an item (TTL-1, TTL-2)."""
        if not 1 <= ttl_ms <= self.most_ms:
            raise invalid(f"the TTL must be 1 to {self.most_ms} ms (the server's --max-ttl), but is {ttl_ms} ms")

    def check_item(self, key: bytes, value: bytes, ttl_ms: int) -> None:
        """Raise Refused if an item is invalid."""
        check_key(key)
        if len(key) + len(value) > MOST_ITEM_BYTES:
            size = len(key) + len(value)
            raise too_large(f"key and value are {size} bytes, but at most {MOST_ITEM_BYTES} are allowed")
        self.check(ttl_ms)
