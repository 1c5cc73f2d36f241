"""The behaviours that Django documents for its cache API, on Larder's backend."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.conftest import run_alone


def test_get_of_missing_key_returns_none_or_the_given_default(cache: Any) -> None:
    cache.set("my_key", "hello, world!", 30)
    assert cache.get("my_key") == "hello, world!"
    assert cache.get("absent") is None
    assert cache.get("absent", "has expired") == "has expired"


def test_delete_many_sends_all_deletes_concurrently(cache: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from larder_cache._internal.calls.loop_calls import LoopCalls

    sent: list[int] = []
    run_each = LoopCalls.run_each

    def noted(self: Any, operation: Any, name: str, payloads: list[bytes], timeout_s: float | None = None) -> Any:
        sent.append(len(payloads))
        return run_each(self, operation, name, payloads, timeout_s)

    monkeypatch.setattr(LoopCalls, "run_each", noted)
    keys = [f"many-{i}" for i in range(2_500)]
    assert cache.set_many(dict.fromkeys(keys, 1)) == []
    cache.delete_many(keys)
    assert cache.get_many(keys) == {} and sent == [2_500]


def test_rejected_oversized_set_removes_the_previous_value(cache: Any) -> None:
    from larder_cache import CacheError

    cache.set("large", "small")
    with pytest.raises(CacheError):
        cache.set("large", b"x" * 6_000_000)
    assert cache.get("large") is None


def test_add_stores_only_if_the_key_is_missing(cache: Any) -> None:
    assert cache.add("add_key", "Initial value") is True
    assert cache.add("add_key", "New value") is False
    assert cache.get("add_key") == "Initial value"


def test_get_or_set_accepts_a_value_or_a_callable(cache: Any) -> None:
    assert cache.get_or_set("my_new_key", "my new value", 100) == "my new value"
    assert cache.get_or_set("made", lambda: 5) == 5
    assert cache.get_or_set("made", lambda: 6) == 5


def test_set_many_get_many_and_delete_many_handle_several_keys(cache: Any) -> None:
    assert cache.set_many({"a": 1, "b": 2, "c": 3}) == []
    assert cache.get_many(["a", "b", "c", "d"]) == {"a": 1, "b": 2, "c": 3}
    cache.delete_many(["a", "b"])
    assert cache.get_many(["a", "b", "c"]) == {"c": 3}


def test_delete_returns_whether_the_key_existed(cache: Any) -> None:
    cache.set("a", 1)
    assert cache.delete("a") is True
    assert cache.delete("a") is False


def test_touch_changes_the_timeout_only_of_existing_keys(cache: Any) -> None:
    cache.set("a", 1, 30)
    assert cache.touch("a", 10) is True
    assert cache.touch("absent", 10) is False
    assert cache.touch("a", 0) is True
    assert cache.get("a") is None


def test_value_with_timeout_of_zero_or_less_is_not_stored(cache: Any) -> None:
    cache.set("a", 1)
    cache.set("a", 2, 0)
    assert cache.get("a") is None
    assert cache.set_many({"b": 1}, -1) == [] and cache.get("b") is None


def test_timeout_of_none_stores_with_the_longest_ttl(cache: Any) -> None:
    cache.set("a", 1, None)
    assert cache.get("a") == 1


def test_incr_and_decr_change_numbers_and_raise_for_missing_keys(cache: Any) -> None:
    cache.set("num", 1)
    assert cache.incr("num") == 2
    assert cache.incr("num", 10) == 12
    assert cache.decr("num", 5) == 7
    with pytest.raises(ValueError):
        cache.incr("absent")
    cache.set("text", "x")
    with pytest.raises(ValueError):
        cache.incr("text")


def test_django_key_versions_have_separate_values(cache: Any) -> None:
    cache.set("my_key", "hello", version=2)
    assert cache.get("my_key") is None
    assert cache.get("my_key", version=2) == "hello"
    assert cache.incr_version("my_key", version=2) == 3
    assert cache.get("my_key", version=2) is None
    assert cache.get("my_key", version=3) == "hello"


def test_has_key_and_in_report_whether_a_key_exists(cache: Any) -> None:
    cache.set("a", None)
    assert cache.has_key("a") and "a" in cache and "b" not in cache


def test_async_methods_return_same_results_as_synchronous_methods(cache: Any) -> None:
    async def use() -> None:
        await cache.aset("k", {"a": 1})
        assert await cache.aget("k") == {"a": 1}
        assert await cache.aadd("k", 2) is False
        assert await cache.aget_or_set("made", lambda: 5) == 5
        assert await cache.aincr("made") == 6 and await cache.adecr("made", 2) == 4
        assert await cache.aset_many({"x": 1, "y": 2}) == []
        assert await cache.aget_many(["x", "y", "z"]) == {"x": 1, "y": 2}
        assert await cache.atouch("x", 10) is True and await cache.ahas_key("x")
        await cache.adelete_many(["x"])
        assert await cache.adelete("x") is False
        assert await cache.aincr_version("y") == 2 and await cache.adecr_version("y", version=2) == 1
        await cache.aclear()
        assert await cache.aget("k") is None
        await cache.aclose()

    loop = asyncio.new_event_loop()
    loop.run_until_complete(use())
    loop.close()


@pytest.mark.parametrize("delta", [1, 5, -3])
def test_incr_does_not_recreate_a_counter_expiring_during_the_call(
    cache: Any, monkeypatch: pytest.MonkeyPatch, delta: int
) -> None:
    async def exists(*_: Any) -> bool:
        """Return True for a missing key, to simulate a key that expires immediately after this check."""
        return True

    monkeypatch.setattr("larder_cache.cache.Cache.key_exists", exists)
    with pytest.raises(ValueError, match="not found"):
        cache.incr("expired", delta)
    with pytest.raises(ValueError, match="not found"):
        run_alone(cache.aincr("expired-too", delta))
    monkeypatch.undo()
    until_gone = object()
    while cache.get("expired", until_gone) is not until_gone:
        pass
    # An increment also works for a counter with the value 0, and keeps the time to live.
    cache.set("zero", 0, 60)
    assert cache.incr("zero", delta) == delta and cache.incr("zero", 1) == delta + 1


def test_incr_counts_every_call_of_concurrent_threads(cache: Any) -> None:
    cache.set("shared", 0, 60)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(cache.incr, ["shared"] * 200))
    assert cache.get("shared") == 200


@pytest.mark.parametrize("loops", [1, 3])
def test_async_methods_can_be_used_in_several_event_loops(cache: Any, loops: int) -> None:
    async def use() -> None:
        await cache.aclear()
        await cache.aset("a", 1)
        assert await cache.aget("a") == 1 and await cache.ahas_key("a") and await cache.atouch("a", 60)
        assert await cache.aadd("a", 2) is False and await cache.aadd("b", ["x"])
        assert await cache.aincr("a", 4) == 5 and await cache.adecr("a") == 4
        assert await cache.aset_many({"c": 3, "d": None}) == []
        assert await cache.aget_many(["b", "c", "d", "e"]) == {"b": ["x"], "c": 3, "d": None}
        assert await cache.aget_or_set("e", lambda: "made") == "made" and await cache.aget("e") == "made"
        assert await cache.aincr_version("c") == 2 and await cache.aget("c", version=2) == 3
        assert await cache.adecr_version("c", version=2) == 1 and await cache.aget("c") == 3
        assert await cache.adelete("a") is True and await cache.adelete("a") is False
        await cache.adelete_many(["b", "c"])
        assert await cache.aget_many(["b", "c"]) == {}
        await cache.aclose()

    for _ in range(loops):
        run_alone(use())
