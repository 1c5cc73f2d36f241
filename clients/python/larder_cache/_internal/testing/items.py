"""The items of one cache."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TypeVar

from larder_cache._internal.testing.clock import Clock
from larder_cache._internal.testing.contents import Collection, Content, Dictionary, ElementList, ElementSet, SortedSet
from larder_cache._internal.testing.leases import Leases
from larder_cache._internal.testing.refused import Refused, wrong_type
from larder_cache._internal.testing.rules import TtlRule, check_key
from larder_cache.errors import ErrorCode

C = TypeVar("C", Dictionary, ElementSet, SortedSet, ElementList)

# The maximum number of items per cache. The fake evicts nothing. A test that stores more items gets an error.
MOST_ITEMS = 1_000_000
_NS_PER_MS = 1_000_000


@dataclass(slots=True)
class Item:
    """The content of a key and its expiry."""

    content: Content
    expires_ns: int
    tags: frozenset[bytes] = frozenset()
    # How long the item is kept after its expiry, for callers that accept a stale value.
    stale_ns: int = 0
    validator: bytes = b""


class Items:
    """The items of one cache by key. An expired item is removed when it is accessed."""

    def __init__(self, clock: Clock, ttl: TtlRule) -> None:
        self._clock = clock
        self.ttl = ttl
        self.leases = Leases(clock)
        self._items: dict[bytes, Item] = {}
        # Part of each cursor. It distinguishes the cursors of this cache from those of other caches, including an
        # earlier cache with the same name.
        self.birth = secrets.token_bytes(8)

    def find(self, key: bytes) -> Item | None:
        """Return the item, or None if it does not exist or has expired. Raises Refused if the key is empty."""
        check_key(key)
        found = self._items.get(key)
        if found is None or found.expires_ns > self._clock.now_ns:
            return found
        if found.expires_ns + found.stale_ns <= self._clock.now_ns:
            del self._items[key]
        return None

    def stale(self, key: bytes) -> tuple[bytes, int, bytes] | None:
        """Return the value of an expired item, or None if there is no such item.

        The second value is the number of milliseconds since the item expired, and the third one is its validator.
        """
        found = None if self.find(key) is not None else self._items.get(key)
        if found is None or not isinstance(found.content, bytes):
            return None
        return found.content, (self._clock.now_ns - found.expires_ns) // _NS_PER_MS, found.validator

    def scalar(self, key: bytes) -> bytes | None:
        """Return the value of a scalar item, or None. Raises Refused if the item is a collection."""
        found = self.find(key)
        if found is None:
            return None
        if not isinstance(found.content, bytes):
            raise wrong_type()
        return found.content

    def open(self, key: bytes, kind: type[C]) -> C | None:
        """Return a collection, or None if it does not exist. Raises Refused if the item has another type."""
        found = self.find(key)
        if found is None:
            return None
        if not isinstance(found.content, kind):
            raise wrong_type()
        return found.content

    def put(
        self,
        key: bytes,
        content: Content,
        ttl_ms: int,
        tags: frozenset[bytes] = frozenset(),
        stale_ms: int = 0,
        validator: bytes = b"",
    ) -> None:
        """Store an item. Replaces an existing item. Raises Refused if there are already a million items."""
        if key not in self._items and len(self._items) >= MOST_ITEMS:
            self._let_go()
            if len(self._items) >= MOST_ITEMS:
                raise Refused(
                    ErrorCode.LIMIT_EXCEEDED, f"the fake server can have at most {MOST_ITEMS:,} items per cache"
                )
        self.leases.end(key)
        expires_ns = self._clock.now_ns + ttl_ms * _NS_PER_MS
        self._items[key] = Item(content, expires_ns, tags, stale_ms * _NS_PER_MS, validator)

    def settle(self, key: bytes, content: Collection, ttl_ms: int, *, refresh: bool) -> None:
        """Finish a change of a collection.

        Removes an empty collection. Sets the time to live of a new collection, or of any collection if `refresh` is
        set.
        """
        if not len(content):
            self.remove(key)
        elif refresh or self.find(key) is None:
            self.put(key, content, ttl_ms)

    def remove(self, key: bytes) -> None:
        """Remove an item, if it exists."""
        check_key(key)
        self.leases.end(key)
        self._items.pop(key, None)

    def remove_tagged(self, tags: frozenset[bytes]) -> None:
        """Remove every item that has any of the tags."""
        self.leases.bar(tags)
        self._items = {key: item for key, item in self._items.items() if not item.tags & tags}

    def flush(self) -> None:
        """Remove every item."""
        self.leases.end_all()
        self._items.clear()

    def left_ms(self, item: Item) -> int:
        """Return the remaining time in whole milliseconds.

        The result is always less than the time to live that was set (TTL-6).
        """
        return (item.expires_ns - self._clock.now_ns - 1) // _NS_PER_MS

    def alive(self) -> dict[bytes, Item]:
        """Return all items that have not expired."""
        self._let_go()
        now = self._clock.now_ns
        return {key: item for key, item in self._items.items() if item.expires_ns > now}

    def _let_go(self) -> None:
        now = self._clock.now_ns
        self._items = {key: item for key, item in self._items.items() if item.expires_ns + item.stale_ns > now}
