"""The table of copies by key and by ticket, with a limit in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, NamedTuple

# NEAR-27: the overhead of a copy. It is added to the sizes of the key, the cache's name and the value.
OVERHEAD_BYTES = 128
# The maximum number of recently used copies that an eviction skips. It then removes the next copy even if that copy was
# used.
_MOST_SPARED = 64


class KeptObject(NamedTuple):
    """A decoded value that is kept with the copy of its bytes."""

    # The envelope that decoded the bytes.
    decoder: object
    # The value that all callers get.
    value: Any


class NearCopy:
    """The local copy of the value of one key."""

    __slots__ = ("cache", "key", "value", "ticket", "ends_at", "size", "used", "decoded")

    def __init__(self, cache: str, key: bytes, value: bytes, ticket: int, ends_at: float) -> None:
        self.cache = cache
        self.key = key
        self.value = value
        self.ticket = ticket
        self.ends_at = ends_at
        self.size = self.encoded_size
        # Whether the copy was returned since an eviction last visited it.
        self.used = False
        # The decoded value that a typed cache keeps, or None.
        self.decoded: KeptObject | None = None

    @property
    def encoded_size(self) -> int:
        """The size without the decoded value, in bytes."""
        return len(self.key) + len(self.cache.encode()) + len(self.value) + OVERHEAD_BYTES


class NearCopies:
    """The copies, with eviction of the oldest copy if the limit is reached.

    A copy that was used since an eviction last visited it gets a second chance (CLOCK).

    A hit only sets a flag. `find` is thread-safe, because it reads two dictionaries that are changed by single
    interpreter steps. All other methods must be called from one thread at a time.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        # The copies by cache and key.
        self.of: dict[str, dict[bytes, NearCopy]] = {}
        self._order: OrderedDict[NearCopy, None] = OrderedDict()
        # The copies by ticket. A ticket usually has a single copy. It is stored without a set, because the set would be
        # larger than the copy.
        self._of_ticket: dict[int, NearCopy | set[NearCopy]] = {}
        self.size = 0
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[NearCopy]:
        return iter(self._order)

    def find(self, cache: str, key: bytes) -> NearCopy | None:
        """Return the copy of a key, or None if there is none."""
        of_cache = self.of.get(cache)
        return None if of_cache is None else of_cache.get(key)

    def add(self, copy: NearCopy) -> bool:
        """Add a copy. It replaces an existing copy of its key. Returns False if the copy is larger than the limit."""
        self.drop(copy.cache, copy.key)
        if copy.size > self.max_bytes:
            return False
        while self.size + copy.size > self.max_bytes:
            self._evict()
        self.of.setdefault(copy.cache, {})[copy.key] = copy
        self._order[copy] = None
        self.size += copy.size
        others = self._of_ticket.setdefault(copy.ticket, copy)
        if others is not copy:
            if isinstance(others, set):
                others.add(copy)
            else:
                self._of_ticket[copy.ticket] = {others, copy}
        return True

    def attach(self, copy: NearCopy, decoded: KeptObject, decoded_bytes: int) -> None:
        """Keep a decoded value with a copy, which counts as `decoded_bytes` more.

        Does nothing if the copy was removed, or if the copy and the decoded value together are larger than the limit.
        """
        size = copy.encoded_size + decoded_bytes
        if self.find(copy.cache, copy.key) is not copy or size > self.max_bytes:
            return
        self.size += size - copy.size
        copy.size = size
        copy.decoded = decoded
        # The copy becomes the newest, so that the other copies are evicted first.
        self._order.move_to_end(copy)
        while self.size > self.max_bytes:
            self._evict(spared=copy)

    def drop(self, cache: str, key: bytes) -> None:
        """Remove the copy of a key, if any."""
        copy = self.find(cache, key)
        if copy is not None:
            self._remove(copy)

    def drop_ticket(self, ticket: int) -> int:
        """Remove the copies of a ticket and return their number."""
        of_ticket = self._of_ticket.get(ticket)
        if of_ticket is None:
            return 0
        copies = list(of_ticket) if isinstance(of_ticket, set) else [of_ticket]
        for copy in copies:
            self._remove(copy)
        return len(copies)

    def drop_cache(self, cache: str) -> None:
        """Remove all copies of a cache."""
        for copy in list(self.of.get(cache, {}).values()):
            self._remove(copy)

    def clear(self) -> None:
        """Remove all copies."""
        self.of = {}
        self._order.clear()
        self._of_ticket = {}
        self.size = 0

    def _remove(self, copy: NearCopy) -> None:
        of_cache = self.of[copy.cache]
        del of_cache[copy.key]
        if not of_cache:
            del self.of[copy.cache]
        del self._order[copy]
        self.size -= copy.size
        of_ticket = self._of_ticket[copy.ticket]
        if isinstance(of_ticket, set) and len(of_ticket) > 1:
            of_ticket.remove(copy)
        else:
            del self._of_ticket[copy.ticket]

    def _evict(self, spared: NearCopy | None = None) -> None:
        for _ in range(_MOST_SPARED):
            oldest = next(iter(self._order))
            if not oldest.used:
                break
            oldest.used = False
            self._order.move_to_end(oldest)
        if spared is not None and next(iter(self._order)) is spared:
            self._order.move_to_end(spared)
        self._remove(next(iter(self._order)))
        self.evictions += 1

    def assert_valid(self) -> None:
        """Check the invariants. Raises AssertionError if one is violated."""
        found = [copy for of_cache in self.of.values() for copy in of_cache.values()]
        assert set(found) == set(self._order) and all(self.of.values()), "the index does not match the copies"
        told = [each if isinstance(each, set) else {each} for each in self._of_ticket.values()]
        assert sum(map(len, told)) == len(found), "the tickets do not contain each copy exactly once"
        assert self.size == sum(copy.size for copy in found) <= self.max_bytes
