"""Factories that exceed their timeouts (GOC-10, GOC-11)."""

from __future__ import annotations

import asyncio

import pytest

from larder_cache import ErrorCode, GetOrSetOptions
from larder_cache import responses as r
from larder_cache.fake import FakeServer as Fake
from tests.leases.loads import BOTH, LEASED, Loader, one_client, ready, stale


@BOTH
async def test_goc_10_soft_timeout_returns_stale_value_and_stores_later_result(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, fake):
        options = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=0.01)
        await stale(client, fake, options)
        load = Loader()
        assert await client.cache("cache").results.get_or_set("k", load, options=options) == b"old"
        load.go_on.set()
        while await client.cache("cache").results.get("k") == r.MISS:
            await asyncio.sleep(0.01)
        assert await client.cache("cache").results.get("k") == r.Hit(b"made 1") and load.calls == 1
        # Without a stale value, the caller waits for the factory and returns its value.
        slow = Loader()
        asyncio.get_running_loop().call_later(0.05, slow.go_on.set)
        assert await client.cache("cache").results.get_or_set("new", slow, options=options) == b"made 1"


async def test_goc_10_cancelled_caller_cancels_factory_before_the_soft_timeout() -> None:
    fake = Fake()
    async with fake.client() as client:
        options = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=600)
        await stale(client, fake, options)
        never = Loader()
        call = asyncio.create_task(client.cache("cache").results.get_or_set("k", never, options=options))
        await never.begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await client.cache("cache").results.get_or_set("k", ready(), options=options) == b"made 1"


@BOTH
async def test_goc_11_hard_timeout_cancels_the_factory_and_releases_the_lease(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, fake):
        ended = asyncio.Event()

        async def never() -> str:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return "never"

        brief = GetOrSetOptions(hard_timeout=0.01, fail_safe_for=3_600)
        with pytest.raises(asyncio.TimeoutError):
            await client.cache("cache").results.get_or_set("k", never, options=brief)
        assert ended.is_set()
        await stale(client, fake, brief)
        assert await client.cache("cache").results.get_or_set("k", never, options=brief) == b"old"
        assert await client.cache("cache").results.get_or_set("k", ready(), options=brief) == b"made 1"


async def test_goc_11_hard_timeout_applies_if_the_cache_fails() -> None:
    fake = Fake()
    async with fake.client() as client:
        fake.fail(ErrorCode.PERMISSION_DENIED, operation="get")
        with pytest.raises(asyncio.TimeoutError):
            await client.cache("cache").results.get_or_set("k", Loader(), options=GetOrSetOptions(hard_timeout=0.01))


async def test_goc_11_hard_timeout_does_not_wait_for_an_uncancellable_factory() -> None:
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def deaf() -> str:
        while not go_on.is_set():
            try:
                await go_on.wait()
            except asyncio.CancelledError:
                pass
        ended.set()
        return "late"

    async with Fake().client() as client:
        with pytest.raises(asyncio.TimeoutError):
            await client.cache("cache").results.get_or_set("k", deaf, options=GetOrSetOptions(hard_timeout=0.01))
        assert await client.cache("cache").results.get_or_set("k", ready(), options=LEASED) == b"made 1"
        go_on.set()
        await ended.wait()
        assert await client.cache("cache").results.get("k") == r.Hit(b"made 1")
