"""Calls on lists, against the real server."""

from __future__ import annotations

import pytest

from larder_cache import CacheResults, CollectionTtl
from larder_cache import responses as r
from tests.collections.conftest import new_key


async def _made(cache: CacheResults, values: str) -> str:
    key = new_key()
    await cache.list_concatenate_back(key, list(values))
    return key


async def _all(cache: CacheResults, key: str) -> str:
    answer = await cache.list_fetch(key)
    return "".join(answer.texts) if isinstance(answer, r.ListFetchHit) else type(answer).__name__


async def test_list_pushes_and_pops_at_both_ends(cache: CacheResults) -> None:
    key = new_key()
    assert await cache.list_push_back(key, "b") == r.ListPushBackSuccess(1)
    assert await cache.list_push_front(key, "a") == r.ListPushFrontSuccess(2)
    assert await cache.list_concatenate_back(key, ["c", "d"]) == r.ListConcatenateBackSuccess(4)
    assert await cache.list_concatenate_front(key, ["x", "y"]) == r.ListConcatenateFrontSuccess(6)
    assert await _all(cache, key) == "xyabcd"
    assert await cache.list_pop_front(key) == r.ListPopFrontHit(b"x", 5)
    popped = await cache.list_pop_back(key)
    assert isinstance(popped, r.ListPopBackHit) and (popped.text, popped.length) == ("d", 4)
    assert await cache.list_length(key) == r.ListLengthHit(4)


async def test_list_push_truncates_the_opposite_end(cache: CacheResults) -> None:
    key = await _made(cache, "abc")
    assert await cache.list_push_front(key, "x", truncate_back_to_size=2) == r.ListPushFrontSuccess(2)
    assert await cache.list_push_back(key, "y", truncate_front_to_size=2) == r.ListPushBackSuccess(2)
    assert await _all(cache, key) == "ay"
    assert await cache.list_concatenate_back(key, ["z"], truncate_front_to_size=1) == r.ListConcatenateBackSuccess(1)
    assert await cache.list_concatenate_front(key, ["v", "w"], truncate_back_to_size=2**32 - 1) == (
        r.ListConcatenateFrontSuccess(3)
    )
    assert await _all(cache, key) == "vwz"


@pytest.mark.parametrize(
    ("start", "end", "slice"),
    [
        (None, None, "abcde"),
        (0, 2, "ab"),
        (0, None, "abcde"),
        (-2, None, "de"),
        (None, -1, "abcd"),
        (1, 0, "Miss"),
        (5, None, "Miss"),
        (2**31 - 1, None, "Miss"),
        (-(2**31), 2**31 - 1, "abcde"),
    ],
)
async def test_list_fetch_and_retain_select_a_slice(
    cache: CacheResults, start: int | None, end: int | None, slice: str
) -> None:
    key = await _made(cache, "abcde")
    answer = await cache.list_fetch(key, start=start, end=end)
    assert ("".join(answer.texts) if isinstance(answer, r.ListFetchHit) else type(answer).__name__) == slice
    kept = 0 if slice == "Miss" else len(slice)
    assert await cache.list_retain(key, start=start, end=end) == r.ListRetainHit(kept)
    assert await _all(cache, key) == slice


async def test_list_retain_keeps_the_ttl_unless_refreshed(cache: CacheResults) -> None:
    key = new_key()
    await cache.list_concatenate_back(key, ["a", "b", "c"], ttl=1_000)

    async def left_s() -> float:
        answer = await cache.item_get_ttl(key)
        assert isinstance(answer, r.RemainingTtl)
        return answer.remaining_ttl_ms / 1_000

    await cache.list_retain(key, end=2)
    assert 900 < await left_s() <= 1_000
    await cache.list_retain(key, end=2, ttl=CollectionTtl(5, refresh_ttl=False))
    assert 900 < await left_s() <= 1_000
    await cache.list_retain(key, end=2, ttl=3_000)
    assert 2_900 < await left_s() <= 3_000
    await cache.list_retain(key, end=2, ttl=CollectionTtl())
    assert await left_s() <= 60


async def test_list_removes_elements_by_value_and_by_index(cache: CacheResults) -> None:
    key = await _made(cache, "abacadx")
    assert await cache.list_remove(key, "a") == r.ListRemoveHit(4)
    assert await cache.list_remove(key, "z") == r.ListRemoveHit(4)
    assert await cache.list_erase(key, [(0, 1), (2, 1), (9, 2**32 - 1)]) == r.ListEraseHit(2)
    assert await _all(cache, key) == "cx"
    assert await cache.list_erase(key, []) == r.ListEraseHit(2)
    assert await cache.list_erase(key, [(0, 2)]) == r.ListEraseHit(0)
    assert await cache.list_length(key) == r.MISS
