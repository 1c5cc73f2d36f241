"""The soft timeout of callers that wait for the load of another caller or of another process (GOC-10, GOC-13)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from larder_cache import CacheClient, GetOrSetOptions, cached
from larder_cache import responses as r
from larder_cache.codecs import JsonCodec
from larder_cache.fake import FakeServer as Fake
from tests.conftest import until
from tests.leases.loads import BOTH, Loader, client_of, expired, one_client, ready

PATIENT = GetOrSetOptions(fail_safe_for=3_600, lease=600)
SOFT = GetOrSetOptions(fail_safe_for=3_600, lease=600, soft_timeout=0.01)


async def never() -> str:
    raise AssertionError("another caller loads the value")


async def old() -> str:
    return "old"


@asynccontextmanager
async def clients(kind: str, port: int = 0) -> AsyncIterator[tuple[CacheClient, CacheClient, Fake | None]]:
    """Yield two clients of one server, and the fake server if there is one."""
    async with one_client(kind, port) as (first, fake), client_of(fake, port) as second:
        yield first, second, fake


async def expire(client: CacheClient, fake: Fake | None, *keys: str) -> None:
    """Store expired values "old" that may be returned as stale for an hour."""
    for key in keys:
        await client.cache("cache").get_or_set(key, old, ttl=0.001, options=PATIENT)
    if fake is not None:
        fake.advance(1)
    for key in keys:
        await expired(client, key)


async def until_stored(client: CacheClient, key: str, value: bytes) -> None:
    while await client.cache("cache").results.get(key) != r.Hit(value):
        await asyncio.sleep(0.001)


@asynccontextmanager
async def loading(client: CacheClient, key: str) -> AsyncIterator[tuple[Loader, asyncio.Task[bytes]]]:
    """Load a value without a soft timeout. The load ends when the context ends."""
    loader = Loader()
    task = asyncio.create_task(client.cache("cache").get_or_set(key, loader, ttl=60, options=PATIENT))
    await loader.begun.wait()
    try:
        yield loader, task
    finally:
        loader.go_on.set()
        assert await task == b"made 1"


@BOTH
async def test_goc_10_waiting_for_another_process_returns_the_stale_value(kind: str, real_port: int) -> None:
    async with clients(kind, real_port) as (first, second, fake):
        await expire(first, fake, "k")
        async with loading(first, "k"):
            for _ in range(2):
                assert await second.cache("cache").get_or_set("k", never, ttl=60, options=SOFT) == b"old"
            patient = second.cache("cache").get_or_set("k", never, ttl=60, options=PATIENT)
            waits = asyncio.create_task(patient)
        assert await waits == b"made 1"


@BOTH
async def test_goc_10_joined_caller_returns_the_stale_value_at_its_own_timeout(kind: str, real_port: int) -> None:
    async with clients(kind, real_port) as (client, _, fake):
        await expire(client, fake, "k")
        async with loading(client, "k"):
            joined = [client.cache("cache").get_or_set("k", never, ttl=60, options=SOFT) for _ in range(3)]
            assert await asyncio.gather(*joined) == [b"old"] * 3
        assert await client.cache("cache").results.get("k") == r.Hit(b"made 1")
        await until(lambda: not client.held()["flights"])


async def test_goc_10_load_continues_if_the_other_callers_are_cancelled() -> None:
    async with clients("fake") as (client, _, fake):
        await expire(client, fake, "k")
        loader = Loader()
        task = asyncio.create_task(client.cache("cache").get_or_set("k", loader, ttl=60, options=PATIENT))
        await loader.begun.wait()
        assert await client.cache("cache").get_or_set("k", never, ttl=60, options=SOFT) == b"old"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        loader.go_on.set()
        await until_stored(client, "k", b"made 1")


async def test_goc_10_caller_whose_fail_safe_time_is_over_waits_for_the_load() -> None:
    async with clients("fake") as (client, other, fake):
        await expire(client, fake, "k")
        options = GetOrSetOptions(fail_safe_for=0.001, soft_timeout=0.001)
        async with loading(client, "k"):
            waiting = [
                asyncio.create_task(each.cache("cache").get_or_set("k", never, options=options))
                for each in (client, other)
            ]
            done, _ = await asyncio.wait(waiting, timeout=0.05)
            assert not done
        assert await asyncio.gather(*waiting) == [b"made 1"] * 2


async def test_goc_10_typed_cache_and_decorator_return_the_stale_value() -> None:
    async with clients("fake") as (client, other, fake):
        go_on = asyncio.Event()
        go_on.set()
        calls: list[int] = []

        def decorated(of: CacheClient, options: GetOrSetOptions) -> Any:
            @cached(of.cache("cache"), ttl=0.001, key="page {}".format, options=options)
            async def page(number: int) -> list[int]:
                calls.append(number)
                await go_on.wait()
                return [number]

            return page

        async def value() -> Any:
            calls.append(0)
            await go_on.wait()
            return {"a": 1}

        def typed(of: CacheClient, options: GetOrSetOptions) -> Any:
            return of.cache("cache").typed(JsonCodec()).get_or_set("typed", value, ttl=0.001, options=options)

        assert (await decorated(client, PATIENT)(7), await typed(client, PATIENT)) == ([7], {"a": 1})
        assert fake is not None
        fake.advance(1)
        go_on.clear()
        loads = [asyncio.create_task(decorated(client, PATIENT)(7)), asyncio.create_task(typed(client, PATIENT))]
        await until(lambda: len(calls) == 4)
        for each in (other, client):
            assert (await decorated(each, SOFT)(7), await typed(each, SOFT)) == ([7], {"a": 1})
        assert len(calls) == 4
        go_on.set()
        await asyncio.gather(*loads)


async def test_goc_10_polling_ends_when_all_callers_have_the_stale_value() -> None:
    async with clients("fake") as (client, other, fake):
        await expire(client, fake, "k")
        async with loading(client, "k"):
            assert await other.cache("cache").get_or_set("k", never, ttl=60, options=SOFT) == b"old"
            await until(lambda: not other.held()["flights"])
            # The task that polls is cancelled. Only the task of the load remains.
            await until(lambda: len([each for each in asyncio.all_tasks() if "run_inside" in repr(each)]) == 1)


async def test_goc_13_at_most_32_loads_continue_after_their_soft_timeout(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "larder_cache")

    def events() -> list[str]:
        return [record.__dict__["larder_event"] for record in caplog.records if record.name == "larder_cache"]

    async with clients("fake") as (client, other, fake):
        cache = client.cache("cache")
        keys = [f"{number}" for number in range(40)]
        await expire(client, fake, *keys, "refreshed")
        loader = Loader()
        got = await asyncio.gather(*(cache.get_or_set(key, loader, ttl=60, options=SOFT) for key in keys))
        assert got == [b"old"] * 40 and loader.calls == 40
        # A refresh in the background has the same limit.
        refreshed = GetOrSetOptions(fail_safe_for=3_600, revalidate_for=3_600)
        assert await cache.get_or_set("refreshed", never, options=refreshed) == b"old"
        await until(lambda: events().count("refresh_put_off") == 9)
        loader.go_on.set()
        await until_stored(client, keys[0], b"made 40")
        await until(lambda: not any("run_inside" in repr(each) for each in asyncio.all_tasks()))
        stored = [await cache.results.get(key) for key in keys]
        assert sum(isinstance(answer, r.Hit) for answer in stored) == 32 and events().count("stale_answered") == 40
        # The leases of the cancelled loads were released.
        for key in keys[32:]:
            assert await other.cache("cache").get_or_set(key, ready(), ttl=60, options=PATIENT) == b"made 1"
        # The ended loads free their slots.
        assert await cache.get_or_set("refreshed", old, ttl=60, options=refreshed) == b"old"
        await until_stored(client, "refreshed", b"old")


async def test_goc_13_loads_for_which_callers_wait_are_not_limited() -> None:
    async with clients("fake") as (client, _, fake):
        cache = client.cache("cache")
        keys = [f"{number}" for number in range(40)]
        await expire(client, fake, *keys)
        loader = Loader()
        loads = [asyncio.create_task(cache.get_or_set(key, loader, ttl=60, options=PATIENT)) for key in keys]
        await until(lambda: loader.calls == 40)
        stale = await asyncio.gather(*(cache.get_or_set(key, never, ttl=60, options=SOFT) for key in keys))
        assert stale == [b"old"] * 40
        loader.go_on.set()
        assert set(await asyncio.gather(*loads)) == {b"made 40"}
