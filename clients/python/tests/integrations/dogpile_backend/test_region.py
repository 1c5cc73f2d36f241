"""A dogpile.cache region with Larder's backend meets dogpile.cache's requirements of a backend."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from larder_cache import CredentialProvider, sync
from tests.conftest import run_alone
from tests.integrations.dogpile_backend.conftest import Regions, written

VALUES: list[Any] = [None, "", "text", 0, 2**70, 1.5, True, [1, [None]], {"a": {"b": []}}, "\x00\ud800"]


def test_region_get_returns_no_value_or_the_stored_value(regions: Regions) -> None:
    from dogpile.cache.api import NO_VALUE

    region = regions()
    assert region.get("absent") is NO_VALUE
    for value in VALUES:
        region.set("key", value)
        assert region.get("key") == value and type(region.get("key")) is type(value)
    region.delete("key")
    region.delete("key")
    assert region.get("key") is NO_VALUE


def test_region_get_multi_returns_values_in_request_order(regions: Regions) -> None:
    from dogpile.cache.api import NO_VALUE

    region = regions()
    region.set_multi({"one": 1, "two": [2], "three": None})
    assert region.get_multi(["two", "absent", "one", "three", "two"]) == [[2], NO_VALUE, 1, None, [2]]
    region.delete_multi(["one", "absent", "two"])
    assert region.get_multi(["one", "two", "three"]) == [NO_VALUE, NO_VALUE, None]


def test_region_multi_calls_accept_an_empty_key_list(regions: Regions) -> None:
    region = regions()
    region.set_multi({})
    region.delete_multi([])
    assert region.get_multi([]) == [] and region.backend.get_serialized_multi([]) == []


def test_region_round_trips_pickled_values(regions: Regions) -> None:
    region = regions(pickled=True)
    value = {1: ("a tuple", {2})}
    region.set("object", value)
    assert region.get("object") == value


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(st.characters(), max_size=40), st.integers(), max_size=8))
def test_region_accepts_any_text_as_key(region: Any, items: dict[str, int]) -> None:
    region.set_multi(items)
    assert region.get_multi(list(items)) == list(items.values())
    for key, value in items.items():
        assert region.get(key) == value
    region.delete_multi(list(items))


@pytest.mark.parametrize("key", ["", " ", "\x00", "a\nb", "é", "\ud800", "🥫" * 200])
def test_region_accepts_unusual_keys(regions: Regions, key: str) -> None:
    region = regions(distributed_lock=True)
    assert region.get_or_create(key, lambda: "made") == "made"
    region.set_multi({key: "set", key + "x": "another"})
    assert region.get_multi([key, key + "x"]) == ["set", "another"]


def test_region_creates_values_inside_a_running_event_loop(regions: Regions) -> None:
    region = regions(distributed_lock=True)

    async def use() -> None:
        assert region.get_or_create("key", lambda: "made") == region.get("key") == "made"

    run_alone(use())


def test_region_rejects_a_key_that_is_not_text(regions: Regions) -> None:
    with pytest.raises(TypeError, match="the key must be str, not int"):
        regions().get(7)


def test_get_or_create_creates_once_until_the_region_is_invalidated(regions: Regions) -> None:
    region, made = regions(), list[int]()

    def creator() -> int:
        made.append(1)
        return len(made)

    assert [region.get_or_create("key", creator) for _ in range(3)] == [1, 1, 1]
    region.invalidate()
    assert region.get_or_create("key", creator) == 2
    region.invalidate(hard=False)
    assert region.get_or_create("key", creator, expiration_time=1_000) == 3


def test_expired_region_value_is_a_miss_unless_expiration_is_ignored(regions: Regions) -> None:
    from dogpile.cache.api import NO_VALUE

    region = regions(expiration_time=1_000)
    region.set("key", "value")
    # With an expiration time of -1, every value created so far has expired.
    assert region.get("key", expiration_time=-1) is NO_VALUE
    assert region.get("key", ignore_expiration=True) == "value"
    assert region.get_or_create("key", lambda: "next", expiration_time=1_000) == "value"


def test_get_or_create_multi_creates_missing_values_in_one_call(regions: Regions) -> None:
    for lock in (False, True):
        region = regions(distributed_lock=lock)
        region.delete_multi(["one", "two", "three"])
        region.set("two", "was there")
        asked: list[tuple[str, ...]] = []

        def creator(*keys: str) -> list[str]:
            asked.append(keys)
            return [f"made for {key}" for key in keys]

        for _ in range(2):
            answer = region.get_or_create_multi(["one", "two", "three"], creator)
            assert answer == ["made for one", "was there", "made for three"]
        assert [sorted(keys) for keys in asked] == [["one", "three"]]


def test_should_cache_fn_prevents_storing_values(regions: Regions) -> None:
    region = regions(distributed_lock=True)

    def nothing(*keys: str) -> list[None]:
        return [None for _ in keys]

    def is_something(value: Any) -> bool:
        return value is not None

    assert region.get_or_create_multi(["one", "two"], nothing, should_cache_fn=is_something) == [None, None]
    assert region.backend.get_serialized_multi(["one", "two"]) == region.get_multi(["one", "two"])
    assert region.get_or_create_multi([], nothing) == []


def test_creator_can_get_another_value_from_the_region(regions: Regions) -> None:
    region = regions(distributed_lock=True)

    def outer() -> str:
        return "outer of " + region.get_or_create("inner", lambda: "inner")

    assert [region.get_or_create("outer", outer) for _ in range(2)] == ["outer of inner"] * 2


def test_region_applies_its_key_mangler(url: str, regions: Regions) -> None:
    from dogpile.cache import make_region

    def shout(key: str) -> str:
        return key.upper()

    region = make_region(key_mangler=shout, serializer=written, deserializer=json.loads)
    region.configure("larder", arguments={"url": url, "distributed_lock": True})
    assert region.get_or_create("key", lambda: "made") == regions().get("KEY") == "made"
    region.backend.close()


def test_creation_in_a_background_thread_releases_the_distributed_lock(url: str, regions: Regions) -> None:
    from dogpile.cache import make_region

    class InThreads:
        """Creates values in a background thread, as in the example in dogpile.cache's documentation."""

        def __init__(self) -> None:
            self.threads = ThreadPoolExecutor(1)

        def __call__(self, region: Any, key: str, creator: Any, mutex: Any) -> None:
            def make() -> None:
                try:
                    region.set(key, creator())
                finally:
                    mutex.release()

            self.threads.submit(make)

    runner = InThreads()
    region = make_region(async_creation_runner=runner, serializer=written, deserializer=json.loads)
    region.configure("larder", expiration_time=1_000, arguments={"url": url, "distributed_lock": True})
    region.set("key", "first")
    region.invalidate(hard=False)
    assert region.get_or_create("key", lambda: "second") == "first"
    runner.threads.shutdown()
    assert region.get_or_create("key", lambda: "third") == "second" and not region.key_is_locked("key")
    assert regions(distributed_lock=True).backend.get_mutex("key").acquire(False) is True
    region.backend.close()


def test_cache_on_arguments_calls_function_once_per_argument(regions: Regions) -> None:
    region, called = regions(), list[int]()

    @region.cache_on_arguments()
    def double(number: int) -> int:
        called.append(number)
        return number * 2

    assert [double(2), double(2), double(3)] == [4, 4, 6] and called == [2, 3]
    double.invalidate(2)
    assert double(2) == 4 and called == [2, 3, 2]


@pytest.mark.parametrize("lock", [False, True])
def test_concurrent_get_or_create_calls_the_creator_once(regions: Regions, lock: bool) -> None:
    region, called, together = regions(distributed_lock=lock), list[int](), threading.Barrier(12)

    def creator() -> str:
        called.append(1)
        return "made"

    def ask() -> Any:
        together.wait()
        return region.get_or_create("key", creator)

    with ThreadPoolExecutor(12) as threads:
        assert [each.result() for each in [threads.submit(ask) for _ in range(12)]] == ["made"] * 12
    assert called == [1]


def test_failing_creator_stores_nothing_and_releases_the_lock(regions: Regions) -> None:
    region = regions(distributed_lock=True)

    def broken() -> str:
        raise LookupError("no such thing")

    for _ in range(2):
        with pytest.raises(LookupError):
            region.get_or_create("key", broken)
        assert not region.key_is_locked("key")
    assert region.get_or_create("key", lambda: "whole") == "whole"


def test_oversized_region_value_raises_and_removes_the_previous_value(regions: Regions) -> None:
    from dogpile.cache.api import NO_VALUE

    from larder_cache import CacheError, ErrorCode

    region = regions()
    region.set_multi({"large": "small", "other": "small"})
    for store in (lambda: region.set("large", "x" * 6_000_000), lambda: region.set_multi({"other": "x" * 6_000_000})):
        with pytest.raises(CacheError) as failed:
            store()
        assert failed.value.code is ErrorCode.LIMIT_EXCEEDED
    assert region.get_multi(["large", "other"]) == [NO_VALUE, NO_VALUE]


@pytest.mark.parametrize("data", [b"", b"\xff", b"no separator", b'{"v":2}|', b"garbage|1", b"1|2"])
def test_backend_passes_stored_bytes_unchanged_to_the_deserializer(regions: Regions, url: str, data: bytes) -> None:
    read: list[bytes] = []

    def reader(payload: bytes) -> Any:
        read.append(payload)
        return json.loads(payload)

    region = regions()
    region.deserializer = reader
    with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
        client.cache("cache").results.set("key", data)
    assert region.backend.get_serialized("key") == data
    assert region.backend.get_serialized_multi(["key"]) == [data]
    assert read == []
