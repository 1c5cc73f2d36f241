"""Reads of a client with a near cache, with a server that the test scripts."""

from __future__ import annotations

import asyncio

import pytest

from larder_cache import ErrorCode, Transport
from larder_cache import responses as r
from larder_cache._internal.telemetry.statistics import NearCacheStatistics
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import capped, client_of, pipelined, until
from tests.near.conftest import Near, near_client, with_near
from tests.near.near_server import NearServer
from tests.support.fake_server import FakeServer


async def test_near_cache_serves_repeated_reads_without_a_call(near: Near, near_server: NearServer) -> None:
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
    for _ in range(3):
        assert await near.client.cache("cache").results.get(b"k") == r.Hit(b"v1")
    assert near_server.received["get"] == near_server.near_gets == 1
    assert near.figures == NearCacheStatistics(hits=3, kept=1, copies=1, bytes=1 + 5 + 2 + 128)


async def test_client_without_near_cache_stores_no_copies(near_server: NearServer) -> None:
    async with client_of(near_server) as client:
        assert (
            await client.cache("cache").results.get("k") == r.Hit(b"v1") == await client.cache("cache").results.get("k")
        )
        assert client.cache("cache").results.try_get_near("k") is None and client.near_cache is None
        near_server.tell(b"k")
        assert await client.cache("cache").results.get("m") == r.Hit(b"v1")
    assert near_server.received == {"get": 3}, "no near get, and no near_open"


async def test_near_hit_needs_no_permit(near_server: NearServer) -> None:
    async with near_client(near_server.port, capped(with_near(), 1)) as near:
        await near.keep("k")
        hanging = asyncio.Event()

        async def hang(call: pipe.Operation) -> pipe.Result:
            await hanging.wait()
            return near_server.answer(call)

        near_server.on_operation = hang
        waiting = asyncio.create_task(near.client.cache("cache").results.get("absent"))
        await until(lambda: near.client.statistics().in_flight == 1)
        assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
        assert near.client.statistics().queued == 0
        hanging.set()
        assert await waiting == r.MISS


async def test_cancelled_read_stores_no_near_copy(near: Near, near_server: NearServer) -> None:
    held: list[pipe.Operation] = []

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        held.append(call)
        return None

    near_server.on_operation = hold
    reading = asyncio.create_task(near.client.cache("cache").results.get("k"))
    await until(lambda: bool(held))
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    near_server.push(pipe.BatchResult(results=[near_server.answer(held[0])]))
    await until(lambda: near.client.held()["ids and parked"] == 0)
    assert not near.has("k") and near.reads.state.flights.tickets == 0
    near.reads.state.assert_valid()


async def test_near_copy_expires_after_its_ttl_or_max_age(near_server: NearServer) -> None:
    near_server.lease_ms = 10_000
    near_server.ttl_left_ms = 2_000
    async with near_client(near_server.port, with_near(max_age_s=5)) as near:
        await near.keep("k")
        near_server.ttl_left_ms = 60_000
        await near.keep("m")
        near.clock.now += 1.999
        assert near.has("k") and near.has("m")
        near.clock.now += 0.001
        assert not near.has("k") and near.has("m")
        near.clock.now += 2.999
        assert near.has("m")
        near.clock.now += 0.001
        assert not near.has("m")


async def test_near_client_reads_from_servers_without_near_cache_or_pipeline(server: FakeServer) -> None:
    server.items[b"k"] = b"v1"
    async with near_client(server.port, opened=False) as near:
        assert (
            await near.client.cache("cache").results.get("k")
            == r.Hit(b"v1")
            == await near.client.cache("cache").results.get("k")
        )
        await until(lambda: server.received["near_open"] == 1)
    async with FakeServer(pipeline=False) as unary:
        unary.items[b"k"] = b"v1"
        configuration = with_near(pipelined().with_settings(transport=Transport.AUTO))
        async with near_client(unary.port, configuration, opened=False) as near:
            assert (
                await near.client.cache("cache").results.get("k")
                == r.Hit(b"v1")
                == await near.client.cache("cache").results.get("k")
            )
            assert near.figures == NearCacheStatistics()


async def test_unary_response_is_not_stored_in_the_near_cache(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    near_server.tell(b"k")
    await until(lambda: not near.has("k"))

    async def too_large(call: pipe.Operation) -> pipe.Result:
        return pipe.Result(id=call.id, use_unary=pipe.UseUnary(), ticket=1, ttl_left_ms=60_000)

    near_server.on_operation = too_large
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
    assert near_server.received["unary get"] == 1 and not near.has("k")
    near.reads.state.assert_valid()


async def test_retried_near_get_stores_a_near_copy(near: Near, near_server: NearServer) -> None:
    failed: list[int] = []

    async def once(call: pipe.Operation) -> pipe.Result:
        if not failed:
            failed.append(call.id)
            return pipe.Result(id=call.id, status=pipe.CallStatus(code=14, message="injected"))
        return near_server.answer(call)

    near_server.on_operation = once
    await near.keep("k")
    assert near_server.near_gets == 1 and near_server.received["get"] == 2
    near.reads.state.assert_valid()


async def test_near_cache_stores_only_configured_caches_and_key_prefixes(near_server: NearServer) -> None:
    near_server.items |= {b"user:1": b"v1"}
    async with near_client(near_server.port, with_near(caches=["cache"], key_prefixes=["user:"])) as near:
        await near.keep("user:1")
        for cache, key in (("other", "user:1"), ("cache", "k")):
            assert await near.client.cache(cache).results.get(key) == r.Hit(b"v1")
            assert not near.has(key, cache)
        assert near_server.near_gets == 1


async def test_near_hit_returns_a_copy_the_caller_may_change(near: Near) -> None:
    for _ in range(2):
        found = await near.client.cache("cache").results.get("k")
        assert isinstance(found, r.Hit)
        found.value = b"changed"
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")


async def test_near_cache_stays_within_max_bytes(near_server: NearServer) -> None:
    near_server.items |= {b"%d" % number: bytes(100) for number in range(300)}
    async with near_client(near_server.port, with_near(max_bytes=2_048)) as near:
        for number in range(300):
            await near.client.cache("cache").results.get(b"%d" % number)
            figures = near.figures
            assert figures.bytes <= 2_048 and figures.copies <= 8
            near.reads.state.assert_valid()
        assert near.figures.evictions > 200


async def test_near_cache_rejects_invalid_arguments(near: Near) -> None:
    await near.keep("k")
    refused = await near.client.cache("cache").with_timeout(-1).results.get("k")
    assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
    assert await near.client.cache("cache").with_timeout(1).results.get("k") == r.Hit(b"v1")
    assert (
        near.client.cache("cache").results.try_get_near("") is near.client.cache("").results.try_get_near("k") is None
    )
    for wrong in (5, None):
        with pytest.raises(TypeError):
            near.client.cache("cache").results.try_get_near(wrong)  # type: ignore[arg-type]


async def test_closed_client_serves_no_near_copies(near: Near) -> None:
    await near.keep("k")
    await near.client.aclose()
    assert not near.has("k") and near.figures.copies == 0
    answer = await near.client.cache("cache").results.get("k")
    assert isinstance(answer, r.Error) and answer.code is ErrorCode.CANCELLED


async def test_every_cache_handle_and_get_or_set_read_near_copies(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    cache, plain = near.client.cache("cache").results, near.client.cache("cache")

    async def never() -> bytes:
        raise AssertionError("there is a value")

    assert await cache.get("k") == r.Hit(b"v1") and cache.try_get_near("k") == b"v1"
    assert await plain.get("k") == await plain.get_or_set("k", never) == b"v1"
    assert await near.client.cache("cache").results.get_or_set("k", never) == b"v1"
    assert near_server.received["get"] == 1
