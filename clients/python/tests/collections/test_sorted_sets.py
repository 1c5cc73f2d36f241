"""Calls on sorted sets, against the real server."""

from __future__ import annotations

from typing import Any

import pytest

from larder_cache import CacheResults, ErrorCode, ScoreBound, SortedSetAggregate, SortedSetOrder
from larder_cache import responses as r
from tests.collections.conftest import new_key

INFINITE = float("inf")


async def _made(cache: CacheResults) -> str:
    key = new_key()
    assert await cache.sorted_set_put(key, {"a": 1, "b": 2.5, "c": -INFINITE, "d": 2.5}) == r.SUCCESS
    return key


def _texts(answer: r.SortedSetFetchResponse) -> dict[str, float]:
    assert isinstance(answer, r.SortedSetFetchHit), answer
    return answer.texts


async def test_sorted_set_orders_elements_by_score_then_by_bytes(cache: CacheResults) -> None:
    key = await _made(cache)
    up = await cache.sorted_set_fetch_by_rank(key)
    assert list(_texts(up).items()) == [("c", -INFINITE), ("a", 1), ("b", 2.5), ("d", 2.5)]
    down = await cache.sorted_set_fetch_by_rank(key, order=SortedSetOrder.DESCENDING, start=0, end=2)
    assert isinstance(down, r.SortedSetFetchHit) and down.elements == [(b"d", 2.5), (b"b", 2.5)]
    assert down.elements[0].value == b"d" and down.elements[0].score == 2.5
    assert _texts(await cache.sorted_set_fetch_by_rank(key, start=-1)) == {"d": 2.5}
    assert _texts(await cache.sorted_set_fetch_by_rank(key, start=9)) == {}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, "cabd"),
        ({"min": 1}, "abd"),
        ({"min": ScoreBound(1, exclusive=True)}, "bd"),
        ({"max": ScoreBound(2.5, exclusive=True)}, "ca"),
        ({"min": -INFINITE, "max": 1}, "ca"),
        ({"min": ScoreBound(-INFINITE, exclusive=True), "max": INFINITE}, "abd"),
        ({"offset": 1, "count": 2}, "ab"),
        ({"count": 0}, ""),
        ({"order": SortedSetOrder.DESCENDING, "offset": 1, "count": 1}, "b"),
        ({"min": 3, "max": 1}, ""),
    ],
)
async def test_sorted_set_fetches_and_counts_elements_by_score(
    cache: CacheResults, asked: dict[str, Any], found: str
) -> None:
    key = await _made(cache)
    assert "".join(_texts(await cache.sorted_set_fetch_by_score(key, **asked))) == found
    if not set(asked) - {"min", "max"}:
        assert await cache.sorted_set_length_by_score(key, **asked) == r.SortedSetLengthByScoreHit(len(found))


async def test_sorted_set_returns_scores_and_ranks(cache: CacheResults) -> None:
    key = await _made(cache)
    assert await cache.sorted_set_get_score(key, ["b", "x", "c"]) == r.SortedSetGetScoreHit([2.5, None, -INFINITE])
    assert await cache.sorted_set_get_element_score(key, "a") == r.SortedSetGetElementScoreHit(1)
    assert await cache.sorted_set_get_element_score(key, "x") == r.MISS
    assert await cache.sorted_set_get_rank(key, "b") == r.SortedSetGetRankHit(2)
    assert await cache.sorted_set_get_rank(key, "b", order=SortedSetOrder.DESCENDING) == r.SortedSetGetRankHit(1)
    assert await cache.sorted_set_get_rank(key, "x") == r.MISS
    assert await cache.sorted_set_length(key) == r.SortedSetLengthHit(4)


async def test_sorted_set_increment_rejects_adding_opposite_infinities(cache: CacheResults) -> None:
    key = await _made(cache)
    assert await cache.sorted_set_increment(key, "a") == r.SortedSetIncrementSuccess(2)
    assert await cache.sorted_set_increment(key, "a", -0.5) == r.SortedSetIncrementSuccess(1.5)
    assert await cache.sorted_set_increment(key, "n", INFINITE) == r.SortedSetIncrementSuccess(INFINITE)
    answer = await cache.sorted_set_increment(key, "c", INFINITE)
    assert isinstance(answer, r.Error) and answer.code is ErrorCode.FAILED_PRECONDITION


async def test_sorted_set_puts_and_removes_single_elements(cache: CacheResults) -> None:
    key = new_key()
    assert await cache.sorted_set_put_element(key, "a", 1) == r.SUCCESS
    assert await cache.sorted_set_put_elements(key, [("b", 2), (b"\xff", 0), ("b", 3)]) == r.SUCCESS
    assert await cache.sorted_set_remove_element(key, b"\xff") == r.SUCCESS
    assert _texts(await cache.sorted_set_fetch_by_rank(key)) == {"a": 1, "b": 3}
    assert await cache.sorted_set_remove(key, ["a", "x"]) == r.SUCCESS
    assert await cache.sorted_set_remove_elements(key, ["b"]) == r.SUCCESS
    assert await cache.sorted_set_length(key) == r.MISS


@pytest.mark.parametrize(
    ("aggregate", "scores"),
    [
        (SortedSetAggregate.SUM, {"a": 12, "b": 5}),
        (SortedSetAggregate.MIN, {"a": 2, "b": 5}),
        (SortedSetAggregate.MAX, {"a": 10, "b": 5}),
    ],
)
async def test_sorted_set_union_store_applies_weights_and_its_own_ttl(
    cache: CacheResults, aggregate: SortedSetAggregate, scores: dict[str, float]
) -> None:
    first, second, union = new_key(), new_key(), new_key()
    await cache.sorted_set_put(first, {"a": 1})
    await cache.sorted_set_put(second, {"a": 10, "b": 5})
    sources: Any = [(first, 2), second]
    answer = await cache.sorted_set_union_store(union, sources, aggregate=aggregate, ttl=1_000)
    assert answer == r.SortedSetUnionStoreSuccess(2)
    assert _texts(await cache.sorted_set_fetch_by_rank(union)) == scores
    left = await cache.item_get_ttl(union)
    assert isinstance(left, r.RemainingTtl) and 900_000 < left.remaining_ttl_ms <= 1_000_000
    assert await cache.sorted_set_union_store(union, {second: 0.5}) == r.SortedSetUnionStoreSuccess(2)
    assert _texts(await cache.sorted_set_fetch_by_rank(union)) == {"a": 5, "b": 2.5}
