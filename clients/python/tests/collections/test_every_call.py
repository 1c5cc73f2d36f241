"""Common properties of all collection calls, with the real server, on both transports and from a thread."""

from __future__ import annotations

from typing import Any

import pytest

from larder_cache import CacheClient, CacheResults, CollectionTtl, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from tests.collections.calls import CALLS, DICTIONARIES, LISTS, SETS, SORTED_SETS, WITH_TTL
from tests.collections.conftest import new_key

# For each type of collection, the call that creates one.
MADE: list[tuple[str, dict[str, tuple[Any, ...]], str]] = [
    ("dictionary_set", DICTIONARIES, "dictionary"),
    ("set_union", SETS, "set"),
    ("list_push_back", LISTS, "list"),
    ("sorted_set_put", SORTED_SETS, "sortedSet"),
]


def _code(answer: Any) -> ErrorCode | None:
    return answer.code if isinstance(answer, r.Error) else None


async def _left_s(cache: CacheResults, key: str) -> float:
    answer = await cache.item_get_ttl(key)
    assert isinstance(answer, r.RemainingTtl)
    return answer.remaining_ttl_ms / 1_000


@pytest.mark.parametrize("name", CALLS)
async def test_collection_call_on_a_scalar_returns_failed_precondition(cache: CacheResults, name: str) -> None:
    key = new_key()
    await cache.set(key, "scalar")
    answer: Any = await getattr(cache, name)(key, *CALLS[name])
    assert _code(answer) is ErrorCode.FAILED_PRECONDITION, answer
    assert await cache.get(key) == r.Hit(b"scalar")


@pytest.mark.parametrize("name", CALLS)
async def test_collection_call_rejects_empty_names_and_unknown_caches(client: CacheClient, name: str) -> None:
    for cache, key, code in (
        ("cache", "", ErrorCode.INVALID_ARGUMENT),
        ("no-such-cache", "k", ErrorCode.NOT_FOUND),
    ):
        call = getattr(client.cache(cache).results, name)
        assert _code(await call(key, *CALLS[name])) is code


@pytest.mark.parametrize("name", CALLS)
async def test_collection_call_on_missing_key_is_miss_or_creates_collection(cache: CacheResults, name: str) -> None:
    answer: Any = await getattr(cache, name)(new_key(), *CALLS[name])
    assert not isinstance(answer, r.Error)
    if name not in WITH_TTL:
        removes = ("delete", "remove", "remove_field", "remove_fields", "remove_elements", "remove_element")
        done = name.startswith(("dictionary", "sorted")) and name.split("_", name.count("set_") + 1)[-1] in removes
        expected = r.Success if done else r.SortedSetUnionStoreSuccess if name.endswith("union_store") else r.Miss
        assert isinstance(answer, expected), answer


@pytest.mark.parametrize("name", WITH_TTL)
async def test_collection_write_sets_the_ttl_only_on_creation_or_refresh(cache: CacheResults, name: str) -> None:
    key, call = new_key(), getattr(cache, name)
    await call(key, *CALLS[name], ttl=CollectionTtl(1_000, refresh_ttl=False))
    assert 900 < await _left_s(cache, key) <= 1_000
    await call(key, *CALLS[name], ttl=CollectionTtl.of(5_000).with_no_refresh_ttl_on_updates())
    assert await _left_s(cache, key) <= 1_000
    await call(key, *CALLS[name], ttl=3_000)
    assert 2_900 < await _left_s(cache, key) <= 3_000
    await call(key, *CALLS[name], ttl=CollectionTtl.from_cache_ttl())
    assert await _left_s(cache, key) <= 60
    await call(key, *CALLS[name])
    assert await _left_s(cache, key) <= 60


@pytest.mark.parametrize(("make", "calls", "type_name"), MADE)
async def test_collection_reads_and_removals_do_not_change_the_ttl(
    cache: CacheResults, make: str, calls: dict[str, tuple[Any, ...]], type_name: str
) -> None:
    for name in sorted(set(calls) - set(WITH_TTL) - {"sorted_set_union_store"}):
        key = new_key()
        await getattr(cache, make)(key, *calls[make], ttl=1_000)
        await getattr(cache, name)(key, *calls[name])
        if await cache.item_get_ttl(key) != r.MISSING:
            assert await _left_s(cache, key) > 900, name


@pytest.mark.parametrize(("make", "calls", "type_name"), MADE)
async def test_item_calls_accept_collections_of_every_type(
    cache: CacheResults, make: str, calls: dict[str, tuple[Any, ...]], type_name: str
) -> None:
    key = new_key()
    await getattr(cache, make)(key, *calls[make])
    kind = await cache.item_get_type(key)
    assert isinstance(kind, r.FoundType) and kind.type.value == type_name
    assert await cache.key_exists(key) == r.Exists(True)
    assert _code(await cache.get(key)) is ErrorCode.FAILED_PRECONDITION
    assert await cache.delete(key) == r.SUCCESS
    assert await cache.key_exists(key) == r.Exists(False)


async def test_large_set_fetch_is_complete_and_large_pop_runs_once(cache: CacheResults) -> None:
    key, elements = new_key(), [f"{i:04}" + "x" * 1_000 for i in range(200)]
    await cache.set_union(key, elements)
    fetched = await cache.set_fetch(key)
    assert isinstance(fetched, r.SetFetchHit) and sorted(fetched.texts) == elements
    popped = await cache.set_pop(key, 150)
    assert isinstance(popped, r.SetPopHit) and len(set(popped.texts)) == 150
    assert await cache.set_length(key) == r.SetLengthHit(50)


async def test_request_too_large_for_pipeline_is_sent_as_unary_call(cache: CacheResults) -> None:
    key = new_key()
    assert await cache.list_concatenate_back(key, ["x" * 1_000] * 1_000) == r.ListConcatenateBackSuccess(1_000)
    assert await cache.list_length(key) == r.ListLengthHit(1_000)


def test_blocking_client_supports_every_collection_call(port: int) -> None:
    with sync.CacheClient(CredentialProvider.local(port=port), default_ttl=60) as client:
        cache = client.cache("cache").results
        for make, calls, _ in MADE:
            key = new_key()
            assert not isinstance(getattr(cache, make)(key, *calls[make]), r.Error)
            for name in calls:
                assert not isinstance(getattr(cache, name)(key, *calls[name]), r.Error), name
        assert cache.dictionary_set(key := new_key(), {"f": "v"}, ttl=CollectionTtl(5)) == r.SUCCESS
        assert cache.dictionary_get_field(key, "f") == r.Hit(b"v")
        assert not any(client.held().values())
