"""Calls on sets, against the real server."""

from __future__ import annotations

from larder_cache import CacheResults, ErrorCode
from larder_cache import responses as r
from tests.collections.conftest import new_key


def _texts(answer: r.SetFetchResponse) -> set[str]:
    assert isinstance(answer, r.SetFetchHit), answer
    return set(answer.texts)


async def test_set_adds_elements_once_and_removes_them(cache: CacheResults) -> None:
    key = new_key()
    assert await cache.set_union(key, ["a", "b", "a", ""]) == r.SUCCESS
    assert await cache.set_add_element(key, "c") == r.SUCCESS
    assert _texts(await cache.set_fetch(key)) == {"a", "b", "c", ""}
    assert await cache.set_difference(key, ["a", "x"]) == r.SET_DIFFERENCE_HIT
    assert await cache.set_remove_element(key, "") == r.SET_DIFFERENCE_HIT
    assert _texts(await cache.set_fetch(key)) == {"b", "c"}
    assert await cache.set_remove_elements(key, {"b", "c"}) == r.SET_DIFFERENCE_HIT
    assert await cache.set_fetch(key) == r.MISS


async def test_set_difference_from_stores_given_elements_not_in_the_set(cache: CacheResults) -> None:
    key = new_key()
    await cache.set_add_elements(key, ["a", "b"])
    assert await cache.set_difference_from(key, ["b", "c"]) == r.SET_DIFFERENCE_HIT
    assert _texts(await cache.set_fetch(key)) == {"c"}


async def test_set_contains_returns_results_in_request_order(cache: CacheResults) -> None:
    key = new_key()
    await cache.set_union(key, ["a", "b"])
    assert await cache.set_contains(key, ["x", "a", "a"]) == r.SetContainsHit([False, True, True])
    assert await cache.set_contains_elements(key, []) == r.SetContainsHit([])
    assert await cache.set_contains_element(key, "a") == r.SetContainsElementHit(True)
    assert await cache.set_contains_element(key, "x") == r.SetContainsElementHit(False)
    assert await cache.set_contains_element(new_key(), "x") == r.MISS


async def test_set_sample_does_not_remove_elements_but_set_pop_does(cache: CacheResults) -> None:
    key = new_key()
    await cache.set_union(key, ["a", "b", "c"])
    sampled = await cache.set_sample(key, 2)
    assert isinstance(sampled, r.SetSampleHit) and len(set(sampled.texts)) == 2
    assert await cache.set_sample(key, 0) == r.SetSampleHit([])
    most = await cache.set_sample(key, 2**64 - 1)
    assert isinstance(most, r.SetSampleHit) and set(most.texts) == {"a", "b", "c"}
    assert await cache.set_length(key) == r.SetLengthHit(3)
    one = await cache.set_pop(key)
    assert isinstance(one, r.SetPopHit) and len(one.elements) == 1
    rest = await cache.set_pop(key, 2**32 - 1)
    assert isinstance(rest, r.SetPopHit) and {*one.texts, *rest.texts} == {"a", "b", "c"}
    assert await cache.set_pop(key) == r.MISS
    refused = await cache.set_pop(key, 0)
    assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
