"""Factories of blocking clients that exceed their timeouts (GOC-10, GOC-11). They run in threads."""

from __future__ import annotations

import asyncio
import logging
import threading
from contextvars import ContextVar
from typing import Any

import pytest

from larder_cache import ErrorCode, GetOrSetOptions, cached
from larder_cache import responses as r
from larder_cache.codecs import JsonCodec
from larder_cache.fake import FakeServer as Fake
from tests.conftest import PATIENCE_S
from tests.leases.blocking_loads import HARD, SOFT, Slow, load_threads, one_client, stale, until
from tests.leases.loads import BOTH, LEASED


@BOTH
def test_goc_10_blocking_soft_timeout_returns_stale_value_and_stores_later_result(kind: str, real_port: int) -> None:
    with one_client(kind, real_port) as (cache, fake):
        stale(cache, fake, "k")
        slow = Slow()
        assert cache.get_or_set("k", slow, options=SOFT) == b"old"
        slow.go_on.set()
        until(lambda: cache.get("k") == b"slow")
        assert slow.calls == 1


def test_goc_10_blocking_soft_timeout_waits_if_there_is_no_stale_value() -> None:
    with one_client("fake", 0) as (cache, _):
        slow = Slow()
        threading.Timer(0.05, slow.go_on.set).start()
        assert cache.get_or_set("new", slow, options=SOFT) == b"slow"


def test_goc_10_blocking_factory_error_after_soft_timeout_is_logged_and_releases_lease(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with one_client("fake", 0) as (cache, fake), caplog.at_level(logging.INFO, "larder_cache"):
        stale(cache, fake, "k")
        slow = Slow(KeyError("no such row"))
        assert cache.get_or_set("k", slow, options=SOFT) == b"old"
        slow.go_on.set()
        until(lambda: not load_threads())
        assert cache.get_or_set("k", lambda: "new", options=SOFT) == b"new"
        events = [record.__dict__["larder_event"] for record in caplog.records if record.name == "larder_cache"]
        assert events == ["stale_answered", "not_made_anew"]


def test_goc_10_blocking_factory_error_before_soft_timeout_returns_stale_value() -> None:
    patience = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=600)

    def broken() -> str:
        raise KeyError("no such row")

    with one_client("fake", 0) as (cache, fake):
        stale(cache, fake, "k", options=patience)
        assert cache.get_or_set("k", broken, options=patience) == b"old"
        assert cache.get_or_set("k", lambda: "new", options=patience) == b"new"


@pytest.mark.parametrize("count", [32, 33, 320])
def test_goc_13_blocking_loads_after_soft_timeouts_are_limited_to_32(count: int) -> None:
    with one_client("fake", 0) as (cache, fake):
        keys = [f"{number}" for number in range(count)]
        refreshed = GetOrSetOptions(fail_safe_for=3_600, revalidate_for=3_600)
        stale(cache, fake, *keys, "refreshed")
        slow = Slow()
        assert [cache.get_or_set(key, slow, options=SOFT) for key in keys] == [b"old"] * count
        assert slow.calls == 32 == len(load_threads())
        # A refresh uses the same limit, and is postponed.
        assert cache.get_or_set("refreshed", slow, options=refreshed) == b"old"
        slow.go_on.set()
        until(lambda: not load_threads())
        assert slow.calls == 32
        assert [cache.get(key) for key in keys] == [b"slow"] * 32 + [None] * (count - 32)
        # The leases of the postponed loads were released.
        longest = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=600)
        for key in keys[32:]:
            assert cache.get_or_set(key, lambda: "new", options=longest) == b"new"


@BOTH
def test_goc_11_blocking_hard_timeout_raises_and_releases_the_lease(kind: str, real_port: int) -> None:
    with one_client(kind, real_port) as (cache, fake):
        slow = Slow()
        with pytest.raises(TimeoutError, match="longer than 0.01 s"):
            cache.get_or_set("k", slow, options=HARD)
        assert cache.get_or_set("k", lambda: "new", options=GetOrSetOptions(lease=600)) == b"new"
        slow.go_on.set()
        until(lambda: not load_threads())
        assert cache.get("k") == b"new", "the late result is discarded"
        cache.delete("k")
        stale(cache, fake, "k")
        slow.go_on.clear()
        assert cache.get_or_set("k", slow, options=HARD) == b"old"
        slow.go_on.set()


def test_goc_11_blocking_hard_timeout_applies_after_the_soft_timeout() -> None:
    both = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=0.01, hard_timeout=0.02, lease=600)
    with one_client("fake", 0) as (cache, fake):
        stale(cache, fake, "k", options=both)
        slow = Slow()
        assert cache.get_or_set("k", slow, options=both) == b"old"
        # The load waits in a second thread for the factory. When that wait ends, the lease is released.
        until(lambda: len(load_threads()) == 1)
        longest = GetOrSetOptions(fail_safe_for=3_600, lease=600)
        assert cache.get_or_set("k", lambda: "new", options=longest) == b"new"
        slow.go_on.set()


def test_goc_11_blocking_hard_timeout_applies_if_the_cache_fails() -> None:
    with one_client("fake", 0) as (cache, fake):
        assert fake is not None
        fake.fail(ErrorCode.PERMISSION_DENIED, operation="get")
        slow = Slow()
        with pytest.raises(TimeoutError):
            cache.get_or_set("k", slow, options=HARD)
        slow.go_on.set()


@pytest.mark.parametrize("calls", [31, 32, 33, 320])
def test_goc_11_blocking_factories_that_never_return_occupy_at_most_32_threads(calls: int) -> None:
    with one_client("fake", 0) as (cache, fake):
        stale(cache, fake, "stale")
        slow = Slow()
        for number in range(calls):
            with pytest.raises(TimeoutError):
                cache.get_or_set(f"{number}", slow, options=HARD)
        assert slow.calls == min(calls, 32) == len(load_threads())
        if calls >= 32:
            with pytest.raises(TimeoutError, match="not started, because 32 factories"):
                cache.get_or_set("next", lambda: "next", options=HARD)
            assert cache.get_or_set("stale", lambda: "new", options=HARD) == b"old"
        assert cache.get_or_set("without timeout", lambda: "new", options=LEASED) == b"new"
        slow.go_on.set()
        until(lambda: not load_threads())
        assert cache.get_or_set("next", lambda: "next", options=HARD) == b"next"


@pytest.mark.parametrize("options", [None, LEASED, GetOrSetOptions(hard_timeout=60)])
def test_blocking_get_or_set_rejects_a_coroutine_function(options: GetOrSetOptions | None) -> None:
    async def mistaken() -> str:
        return "made"

    wrong: Any = mistaken
    with one_client("fake", 0) as (cache, _):
        for call in (cache.get_or_set, cache.typed(JsonCodec()).get_or_set):
            with pytest.raises(TypeError, match="must be a plain function"):
                call("k", wrong, options=options)
        with pytest.raises(TypeError, match="must be a plain function"):
            cached(cache, key="k".format, options=options)(lambda: wrong())()
        assert cache.get_or_set("k", lambda: "made", options=GetOrSetOptions(lease=600)) == b"made"


def test_blocking_factory_with_timeout_raises_its_own_errors_to_the_caller() -> None:
    quick = GetOrSetOptions(hard_timeout=60)

    def broken() -> str:
        raise KeyError("no such row")

    def leaves() -> str:
        raise SystemExit(3)

    with one_client("fake", 0) as (cache, _):
        with pytest.raises(KeyError, match="no such row"):
            cache.get_or_set("k", broken, options=quick)
        with pytest.raises(SystemExit):
            cache.get_or_set("k", leaves, options=quick)
        assert cache.get_or_set("k", lambda: "made", options=quick) == b"made"


def test_blocking_factory_with_timeout_sees_context_variables_and_its_own_key() -> None:
    tenant: ContextVar[str] = ContextVar("tenant")
    quick = GetOrSetOptions(hard_timeout=60, lease=600)
    with one_client("fake", 0) as (cache, _):

        def outer() -> bytes:
            return cache.get_or_set("k", tenant.get, options=quick)

        tenant.set("ours")
        assert cache.get_or_set("k", outer, options=quick) == b"ours"


def test_concurrent_blocking_callers_share_one_load_with_timeouts() -> None:
    with one_client("fake", 0) as (cache, fake):
        stale(cache, fake, "k")
        slow = Slow()
        patience = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=600, hard_timeout=600)
        got: list[bytes] = []
        calls = [
            threading.Thread(target=lambda: got.append(cache.get_or_set("k", slow, options=patience)), daemon=True)
            for _ in range(50)
        ]
        for call in calls:
            call.start()
        until(lambda: slow.calls == 1)
        slow.go_on.set()
        for call in calls:
            call.join(PATIENCE_S)
        assert got == [b"slow"] * 50 and slow.calls == 1


def test_decorated_blocking_function_and_typed_cache_use_timeouts() -> None:
    with one_client("fake", 0) as (cache, fake):
        assert fake is not None
        go_on = threading.Event()
        go_on.set()

        @cached(cache, ttl=1, key="page {}".format, options=SOFT)
        def page(number: int) -> list[int]:
            assert go_on.wait(PATIENCE_S)
            return [number]

        assert page(7) == [7]
        typed = cache.typed(JsonCodec())
        assert typed.get_or_set("typed", lambda: {"a": 1}, ttl=1, options=SOFT) == {"a": 1}
        fake.advance(2)
        go_on.clear()

        def slow() -> Any:
            assert go_on.wait(PATIENCE_S)
            return {"a": 2}

        assert page(7) == [7] and typed.get_or_set("typed", slow, options=SOFT) == {"a": 1}
        assert len(load_threads()) == 2
        with pytest.raises(TimeoutError):
            typed.get_or_set("other", slow, options=HARD)
        go_on.set()
        until(lambda: cache.get("page 7") is not None and cache.get("typed") is not None)


async def test_timeouts_of_blocking_client_do_not_allow_calls_on_an_event_loop() -> None:
    assert asyncio.get_running_loop().is_running()
    with pytest.raises(RuntimeError, match="event loop"):
        with Fake().sync_client() as client:
            client.cache("cache").get_or_set("k", lambda: "made", options=HARD)


def test_late_store_after_close_does_not_raise() -> None:
    fake = Fake()
    slow = Slow()
    with fake.sync_client() as client:
        cache = client.cache("cache")
        stale(cache, fake, "k")
        assert cache.get_or_set("k", slow, options=SOFT) == b"old"
    slow.go_on.set()
    until(lambda: not load_threads())
    with fake.sync_client() as client:
        assert client.cache("cache").results.get("k") == r.MISS
