"""The table of near copies: its limit, the order of eviction, and its actual memory size."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from larder_cache._internal.near.near_copies import OVERHEAD_BYTES, NearCopies, NearCopy


def _copy(key: bytes, *, size: int = 200, ticket: int = 0, cache: str = "c") -> NearCopy:
    return NearCopy(cache, key, bytes(size - OVERHEAD_BYTES - len(key) - len(cache)), ticket, 1.0)


def _keys(copies: NearCopies) -> list[bytes]:
    return sorted(copy.key for copy in copies)


def test_recently_used_near_copy_is_evicted_last() -> None:
    copies = NearCopies(600)
    for number in range(10):
        copies.add(_copy(b"%d" % number))
        first = copies.find("c", b"0")
        assert first is not None
        first.used = True
    copies.assert_valid()
    assert _keys(copies) == [b"0", b"8", b"9"] and copies.evictions == 7
    for number in range(10, 20):
        copies.add(_copy(b"%d" % number))
    assert copies.find("c", b"0") is None, "and goes in its turn once it is not"


def test_eviction_skips_at_most_64_recently_used_near_copies() -> None:
    copies = NearCopies(200 * 1_000)
    for number in range(1_000):
        copies.add(_copy(b"%d" % number))
    for copy in copies:
        copy.used = True
    copies.add(_copy(b"new"))
    copies.assert_valid()
    assert len(copies) == 1_000 and copies.find("c", b"new") is not None
    assert sum(not copy.used for copy in copies) == 65, "64 were passed over, and the new one was not used yet"


def test_drop_ticket_drops_every_copy_with_that_ticket() -> None:
    copies = NearCopies(1_000_000)
    for number in range(1_000):
        copies.add(_copy(b"%d" % number, ticket=7))
    for number in range(500):
        copies.drop("c", b"%d" % number)
    copies.assert_valid()
    assert copies.drop_ticket(7) == 500 and len(copies) == copies.size == 0
    assert copies.drop_ticket(7) == 0


_CHANGES = st.lists(
    st.tuples(
        st.sampled_from(("add", "drop", "ticket", "cache", "use", "clear")), st.integers(0, 9), st.integers(0, 3)
    ),
    max_size=80,
)


@given(_CHANGES, st.integers(140, 1_500))
def test_near_copies_stay_consistent_and_within_the_size_limit(changes: list[tuple[str, int, int]], most: int) -> None:
    copies = NearCopies(most)
    for what, number, other in changes:
        cache, key = "cd"[number % 2], b"%d" % number
        if what == "add":
            copies.add(_copy(key, size=140 + 100 * other, ticket=other, cache=cache))
        elif what == "drop":
            copies.drop(cache, key)
        elif what == "ticket":
            copies.drop_ticket(other)
        elif what == "cache":
            copies.drop_cache(cache)
        elif what == "clear" and other == 0:
            copies.clear()
        elif (copy := copies.find(cache, key)) is not None:
            copy.used = True
        copies.assert_valid()


def test_near_copy_uses_about_200_bytes_beyond_its_counted_size() -> None:
    copies, count = NearCopies(1_000_000_000), 20_000
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(count):
        copies.add(NearCopy("cache", b"key-%09d" % number, bytes(100), number, 1.0 + number))
    more = (tracemalloc.get_traced_memory()[0] - before - copies.size) / count
    tracemalloc.stop()
    assert 100 < more < 300, more
