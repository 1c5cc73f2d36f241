"""The soft timeout of blocking callers that wait for the load of another thread or of another process (GOC-10)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from larder_cache import CredentialProvider, GetOrSetOptions, cached, sync
from larder_cache.codecs import JsonCodec
from larder_cache.fake import FakeServer as Fake
from tests.conftest import PATIENCE_S
from tests.leases.blocking_loads import Slow, one_client, stale, until
from tests.leases.loads import BOTH, patient

PATIENT = GetOrSetOptions(fail_safe_for=3_600, lease=600)
SOFT = GetOrSetOptions(fail_safe_for=3_600, lease=600, soft_timeout=0.01)


def never() -> Any:
    raise AssertionError("another caller loads the value")


@contextmanager
def two_caches(kind: str, port: int = 0) -> Iterator[tuple[sync.Cache, sync.Cache, Fake | None]]:
    """Yield the caches of two clients, which act as two processes, and the fake server if there is one."""
    with one_client(kind, port) as (first, fake):
        if fake is not None:
            other = fake.sync_client()
        else:
            other = sync.CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=patient())
        with other:
            yield first, other.cache("cache"), fake


@contextmanager
def loading(*loads: Callable[[], Any]) -> Iterator[list[Any]]:
    """Run loads in other threads. Yields a list that contains their results when the context has ended."""
    got: list[Any] = []
    with ThreadPoolExecutor() as pool:
        running = [pool.submit(load) for load in loads]
        yield got
        got.extend(each.result(PATIENCE_S) for each in running)


@BOTH
def test_goc_10_blocking_wait_for_another_process_returns_the_stale_value(kind: str, real_port: int) -> None:
    with two_caches(kind, real_port) as (first, second, fake):
        stale(first, fake, "k", options=PATIENT)
        slow = Slow()
        with loading(lambda: first.get_or_set("k", slow, options=PATIENT)) as got:
            until(lambda: slow.calls == 1)
            for _ in range(2):
                assert second.get_or_set("k", never, options=SOFT) == b"old"
            slow.go_on.set()
        assert got == [b"slow"] and second.get_or_set("k", never, options=SOFT) == b"slow"


@BOTH
def test_goc_10_blocking_joined_caller_returns_the_stale_value(kind: str, real_port: int) -> None:
    with one_client(kind, real_port) as (cache, fake):
        stale(cache, fake, "k", options=PATIENT)
        slow = Slow()
        with loading(lambda: cache.get_or_set("k", slow, options=PATIENT)) as got:
            until(lambda: slow.calls == 1)
            joined = [lambda: cache.get_or_set("k", never, options=SOFT)] * 3
            with loading(*joined) as stale_values:
                pass
            assert stale_values == [b"old"] * 3
            slow.go_on.set()
        assert got == [b"slow"] and slow.calls == 1


def test_goc_10_blocking_caller_after_a_soft_timeout_returns_the_stale_value() -> None:
    with one_client("fake", 0) as (cache, fake):
        stale(cache, fake, "k", options=SOFT)
        slow = Slow()
        # The first call starts the load. The other calls wait for it until their own soft timeout.
        assert [cache.get_or_set("k", slow, options=SOFT) for _ in range(3)] == [b"old"] * 3
        assert slow.calls == 1
        slow.go_on.set()
        until(lambda: cache.get("k") == b"slow")


def test_goc_10_blocking_joined_caller_gets_the_value_before_its_soft_timeout() -> None:
    long = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=600)
    with one_client("fake", 0) as (cache, fake):
        stale(cache, fake, "k", options=PATIENT)
        slow = Slow()
        calls = [lambda: cache.get_or_set("k", slow, options=long)] * 4
        with loading(lambda: cache.get_or_set("k", slow, options=PATIENT), *calls) as got:
            until(lambda: slow.calls == 1)
            slow.go_on.set()
        assert got == [b"slow"] * 5 and slow.calls == 1


def test_goc_10_blocking_caller_whose_fail_safe_time_is_over_waits_for_the_load() -> None:
    over = GetOrSetOptions(fail_safe_for=0.001, soft_timeout=0.001)
    with two_caches("fake") as (first, second, fake):
        stale(first, fake, "k", options=PATIENT)
        slow = Slow()
        ended = threading.Semaphore(0)

        def wait(cache: sync.Cache) -> bytes:
            value = cache.get_or_set("k", never, options=over)
            ended.release()
            return value

        with loading(lambda: first.get_or_set("k", slow, options=PATIENT)) as got:
            until(lambda: slow.calls == 1)
            with loading(lambda: wait(first), lambda: wait(second)) as waited:
                assert not ended.acquire(timeout=0.05)
                slow.go_on.set()
        assert got + waited == [b"slow"] * 3


def test_goc_10_blocking_typed_cache_and_decorator_return_the_stale_value() -> None:
    with two_caches("fake") as (first, second, fake):
        go_on = threading.Event()
        go_on.set()
        calls: list[int] = []

        def decorated(cache: sync.Cache, options: GetOrSetOptions) -> list[int]:
            @cached(cache, ttl=0.05, key="page {}".format, options=options)
            def page(number: int) -> list[int]:
                calls.append(number)
                assert go_on.wait(PATIENCE_S)
                return [number]

            return page(7)

        def typed(cache: sync.Cache, options: GetOrSetOptions) -> Any:
            def value() -> Any:
                calls.append(0)
                assert go_on.wait(PATIENCE_S)
                return {"a": 1}

            return cache.typed(JsonCodec()).get_or_set("typed", value, ttl=0.05, options=options)

        assert (decorated(first, PATIENT), typed(first, PATIENT)) == ([7], {"a": 1})
        assert fake is not None
        fake.advance(1)
        go_on.clear()
        with loading(lambda: decorated(first, PATIENT), lambda: typed(first, PATIENT)) as got:
            until(lambda: len(calls) == 4)
            for cache in (second, first):
                assert (decorated(cache, SOFT), typed(cache, SOFT)) == ([7], {"a": 1})
            assert len(calls) == 4
            go_on.set()
        assert got == [[7], {"a": 1}]
