"""Values that are refreshed before they expire, and the limit on concurrent refreshes (GOC-12, GOC-13)."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta

import pytest

from larder_cache import GetOrSetOptions
from larder_cache import responses as r
from larder_cache.fake import FakeServer as Fake
from tests.conftest import client_of
from tests.leases.loads import BOTH, Loader, expired, left_s, one_client, ready
from tests.support.fake_server import FakeServer


@BOTH
async def test_goc_12_requested_value_is_refreshed_before_it_expires(
    kind: str, real_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with one_client(kind, real_port) as (client, fake):
        # With this random number, the jitter subtracts all but 60 ms of the time before the refresh, so the test need
        # not wait long.
        options = GetOrSetOptions(refresh_ahead_for=600, jitter=1)
        monkeypatch.setattr(random, "random", lambda: 0.9999)
        assert await client.cache("cache").results.get_or_set("k", ready(), ttl=1_200, options=options) == b"made 1"
        monkeypatch.setattr(random, "random", lambda: 0.0)
        if fake is not None:
            fake.advance(1)
        await expired(client, "k")
        load = Loader()
        load.calls = 1
        answers = [
            await client.cache("cache").results.get_or_set("k", load, ttl=1_200, options=options) for _ in range(5)
        ]
        assert answers == [b"made 1"] * 5
        await load.begun.wait()
        load.go_on.set()
        while await client.cache("cache").results.get("k") == r.MISS:
            await asyncio.sleep(0.01)
        assert await client.cache("cache").results.get("k") == r.Hit(b"made 2") and load.calls == 2


async def test_goc_12_expired_value_is_loaded_before_it_is_returned() -> None:
    fake = Fake()
    async with fake.client() as client:
        options = GetOrSetOptions(refresh_ahead_for=timedelta(seconds=30))
        load = ready()
        assert await client.cache("cache").results.get_or_set("k", load, ttl=60, options=options) == b"made 1"
        fake.advance(59.9)
        assert await client.cache("cache").results.get_or_set("k", load, ttl=60, options=options) == b"made 1"
        while await client.cache("cache").results.get("k") != r.Hit(b"made 2"):
            await asyncio.sleep(0)
        fake.advance(60)
        assert await client.cache("cache").results.get_or_set("k", load, ttl=60, options=options) == b"made 3"


async def test_goc_12_refresh_ahead_over_half_the_ttl_is_rejected() -> None:
    fake = Fake()
    async with fake.client(default_ttl=60) as client:
        for ttl, ahead in ((None, 30.001), (10, 5.001), (timedelta(seconds=10), timedelta(seconds=6))):
            with pytest.raises(ValueError, match="^get_or_set: refresh_ahead_for must be at most half"):
                await client.cache("cache").results.get_or_set(
                    "k", ready(), ttl=ttl, options=GetOrSetOptions(refresh_ahead_for=ahead)
                )
        assert not fake.received
        half = GetOrSetOptions(refresh_ahead_for=30)
        assert await client.cache("cache").results.get_or_set("k", ready(), options=half) == b"made 1"
        assert await left_s(client, "k") == 30


async def test_goc_12_refresh_ahead_has_no_effect_without_lease_support(server: FakeServer) -> None:
    async with client_of(server) as client:
        options = GetOrSetOptions(refresh_ahead_for=30)
        assert await client.cache("cache").results.get_or_set("k", ready(), ttl=60, options=options) == b"made 1"
        assert server.ttls == {b"k": 60_000}


async def test_goc_13_background_refreshes_are_limited_to_32() -> None:
    fake = Fake()
    async with fake.client() as client:
        options = GetOrSetOptions(revalidate_for=3_600)
        for number in range(40):
            await client.cache("cache").results.get_or_set(f"{number}", ready(), ttl=1, options=options)
        fake.advance(2)
        load = Loader()
        answers = [
            await client.cache("cache").results.get_or_set(f"{number}", load, options=options) for number in range(40)
        ]
        assert answers == [b"made 1"] * 40
        while load.calls < 32:
            await asyncio.sleep(0)
        assert fake.received["release_lease"] == 8
        load.go_on.set()
        while [await client.cache("cache").results.get(f"{number}") for number in range(32)].count(r.MISS):
            await asyncio.sleep(0)
        assert [await client.cache("cache").results.get(f"{number}") for number in range(32, 40)] == [r.MISS] * 8
        # After the running refreshes have ended, new refreshes are possible.
        answers = [
            await client.cache("cache").results.get_or_set(f"{number}", load, options=options)
            for number in range(32, 40)
        ]
        assert answers == [b"made 1"] * 8
        while [await client.cache("cache").results.get(f"{number}") for number in range(40)].count(r.MISS):
            await asyncio.sleep(0)
        assert load.calls == 40


async def test_goc_13_ended_event_loop_frees_its_refresh_slots() -> None:
    fake = Fake()
    client = fake.client()
    options = GetOrSetOptions(revalidate_for=3_600)
    for number in range(33):
        await client.cache("cache").results.get_or_set(f"{number}", ready(), ttl=1, options=options)
    fake.advance(2)

    def stop() -> None:
        loop = asyncio.new_event_loop()
        never = Loader()

        async def ask() -> None:
            for number in range(32):
                await client.cache("cache").results.get_or_set(f"{number}", never, options=options)
            await asyncio.sleep(0)

        loop.run_until_complete(ask())
        for task in asyncio.all_tasks(loop):
            # Simulate tasks of a stopped loop. Suppress the warning that asyncio logs when such a task is collected.
            setattr(task, "_log_destroy_pending", False)
        loop.close()

    await asyncio.get_running_loop().run_in_executor(None, stop)
    load = ready()
    await client.cache("cache").results.get_or_set("32", load, options=options)
    while await client.cache("cache").results.get("32") == r.MISS:
        await asyncio.sleep(0)
    assert load.calls == 1
