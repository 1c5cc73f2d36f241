"""Reads of a client with a near cache, with a server that the test scripts."""

from __future__ import annotations

import asyncio
import logging

import pytest

from larder_cache import ErrorCode, Transport
from larder_cache import responses as r
from larder_cache._internal.telemetry.statistics import NearCacheStatistics
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import capped, client_of, pipelined, until
from tests.near.conftest import Near, near_client, with_near
from tests.near.near_server import NearServer
from tests.support.fake_server import FakeServer
from tests.support.proxy import Proxy


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


async def test_near_open_is_the_first_operation_of_a_stream(near_server: NearServer) -> None:
    seen: list[str] = []
    answer = near_server.answer

    def watched(call: pipe.Operation) -> pipe.Result:
        seen.append(str(call.WhichOneof("call")))
        return answer(call)

    near_server.answer = watched  # type: ignore[method-assign]
    async with near_client(near_server.port, opened=False) as near:
        await asyncio.gather(*(near.client.cache("cache").results.get("k") for _ in range(3)))
        assert seen[0] == "near_open"


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


async def test_invalidation_by_another_client_drops_the_copy(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    await near.keep("m")
    near_server.items[b"k"] = b"v2"
    near_server.tell(b"k")
    await until(lambda: not near.has("k"))
    assert near.has("m") and near.figures.invalidations == 1
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v2")


async def test_near_clear_drops_all_copies(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    await near.keep("m")
    near_server.push(pipe.BatchResult(clear=True))
    await until(lambda: not near.has("k") and not near.has("m"))
    assert near.figures.clears == 1 and near.figures.copies == 0


@pytest.mark.parametrize("where", ["before", "behind"])
@pytest.mark.parametrize("how", ["packed", "unpacked", "clear"])
async def test_invalidations_apply_before_results_of_the_same_message(
    near: Near, near_server: NearServer, how: str, where: str
) -> None:
    ticket = near_server.ticket_of(b"k")
    told = {
        "packed": pipe.BatchResult(invalidated=[ticket]).SerializeToString(),
        "unpacked": b"\x18" + pipe.BatchResult(invalidated=[ticket]).SerializeToString()[2:],
        "clear": pipe.BatchResult(clear=True).SerializeToString(),
    }[how]

    class Raw:
        def __init__(self, result: pipe.Result) -> None:
            self.results = pipe.BatchResult(results=[result]).SerializeToString()

        def SerializeToString(self) -> bytes:  # noqa: N802 (protobuf's name)
            return told + self.results if where == "before" else self.results + told

    async def answer(call: pipe.Operation) -> pipe.Result | None:
        near_server.push(Raw(near_server.answer(call)))  # type: ignore[arg-type]
        return None

    near_server.on_operation = answer
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
    assert not near.has("k") and near.figures.poisoned == 1


async def test_own_write_drops_the_copy_and_next_read_stores_one(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    assert await near.client.cache("cache").results.set("k", "v2") == r.SUCCESS
    assert not near.has("k")
    await near.keep("k", "v2")
    assert await near.client.cache("cache").results.delete("k") == r.SUCCESS
    assert await near.client.cache("cache").results.get("k") == r.MISS
    assert near_server.received["get"] == 3


async def test_read_overlapping_a_write_stores_no_near_copy(near: Near, near_server: NearServer) -> None:
    held: list[pipe.Operation] = []

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        if call.WhichOneof("call") == "get":
            held.append(call)
            return None
        return near_server.answer(call)

    near_server.on_operation = hold
    reading = asyncio.create_task(near.client.cache("cache").results.get("k"))
    await until(lambda: bool(held))
    before = near_server.answer(held[0])
    assert await near.client.cache("cache").results.set("k", "v2") == r.SUCCESS
    near_server.push(pipe.BatchResult(results=[before]))
    assert await reading == r.Hit(b"v1"), "its caller began before"
    assert not near.has("k") and near.figures.poisoned == 1


@pytest.mark.parametrize("how", ["cancelled", "timed out"])
async def test_abandoned_write_drops_the_copy_immediately(near: Near, near_server: NearServer, how: str) -> None:
    await near.keep("k")
    held: list[pipe.Operation] = []

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        held.append(call)
        return None

    near_server.on_operation = hold
    if how == "cancelled":
        writing = asyncio.create_task(near.client.cache("cache").results.set("k", "v2"))
        await until(lambda: bool(held))
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    else:
        answer = await near.client.cache("cache").with_timeout(0.02).results.set("k", "v2")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
    assert not near.has("k")
    near_server.on_operation = None
    await near.keep("k")
    near_server.push(
        pipe.BatchResult(results=[near_server.answer(call) for call in held if call.WhichOneof("call") == "set"])
    )
    await until(lambda: near.client.held()["ids and parked"] == 0)
    assert near.has("k"), "the late answer changes nothing; what it changed the server tells"


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


async def test_near_copies_are_served_until_the_lease_ends_while_disconnected(near_server: NearServer) -> None:
    async with Proxy(near_server.port) as proxy, near_client(proxy.port) as near:
        await near.keep("k")
        proxy.freeze()
        near_server.items[b"k"] = b"v2"
        near.clock.now += 2.999
        assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
        near.clock.now += 0.001
        assert not near.has("k")


async def test_near_cache_reopens_on_the_next_stream_after_connection_loss(near_server: NearServer) -> None:
    async with Proxy(near_server.port) as proxy, near_client(proxy.port) as near:
        await near.keep("k")
        proxy.cut()
        await until(lambda: not near.has("k"))
        assert near.figures.copies == 0
        assert await near.client.cache("cache").results.get("m") == r.Hit(b"v1")
        await until(lambda: near.reads.has_stream)
        await near.keep("k")
        assert near_server.received["near_open"] == 2


@pytest.mark.parametrize("how", ["ok", "abort", "draining"])
async def test_ended_or_draining_stream_drops_its_near_copies(near: Near, near_server: NearServer, how: str) -> None:
    await near.keep("k")
    near_server.end_streams(how)
    await until(lambda: not near.has("k"))
    assert await near.client.cache("cache").results.get("m") == r.Hit(b"v1")
    await until(lambda: near.reads.has_stream)
    await near.keep("k")


@pytest.mark.parametrize("how", ["abort", "draining"])
async def test_unanswered_near_gets_are_resent_on_the_next_stream(
    near: Near, near_server: NearServer, how: str
) -> None:
    async def silent(call: pipe.Operation) -> pipe.Result | None:
        return None

    near_server.on_operation = silent
    reading = asyncio.create_task(near.client.cache("cache").results.get("k"))
    await until(lambda: near_server.received.get("get") == 1)
    near_server.on_operation = None
    if how == "draining":
        near_server.end_streams("draining")
        await until(lambda: not near.reads.has_stream)
        assert await near.client.cache("cache").results.get("m") == r.Hit(b"v1")
        near_server.end_streams("ok")
    else:
        near_server.end_streams("abort")
    assert await reading == r.Hit(b"v1")
    assert near.client.held()["near gets"] == 0


async def test_unsent_near_gets_move_to_the_next_stream(near: Near) -> None:
    reading = [asyncio.create_task(near.client.cache("cache").results.get("k")) for _ in range(3)]
    # After this sleep, the gets were added to the stream, but they were not written yet.
    await asyncio.sleep(0)
    stream = near.reads.stream
    assert stream is not None and len(near.reads.state.flights) == 3
    stream.on_going_away()
    assert len(near.reads.state.flights) == 0
    assert await asyncio.gather(*reading) == [r.Hit(b"v1")] * 3


async def test_near_lease_is_renewed_every_third_of_its_duration(near_server: NearServer) -> None:
    near_server.lease_ms = 30
    async with near_client(near_server.port) as near:
        await near.keep("k")
        renewed = near_server.received.get("near_renew", 0)
        near.clock.now += 0.029
        await until(lambda: near_server.received.get("near_renew", 0) >= renewed + 3)
        near.clock.now += 0.029
        assert near.has("k"), "one asked at the clock's second time has been answered"
        near_server.refuses_renew = pipe.CallStatus(code=14, message="cut off from its cluster")
        before = near_server.received["near_renew"]
        await until(lambda: near_server.received["near_renew"] >= before + 2)
        near.clock.now += 0.030
        assert not near.has("k"), "a renew that failed is none"
        near_server.refuses_renew = None
        await until(lambda: near.has("k"))
        assert near.figures.copies == 1, "what outlived the lease is right again"


async def test_near_cache_closes_if_the_server_rejects_the_renewal(near_server: NearServer) -> None:
    near_server.lease_ms = 30
    async with near_client(near_server.port) as near:
        await near.keep("k")
        near_server.refuses_renew = pipe.CallStatus(code=9, message="no near stream")
        await until(lambda: not near.reads.has_stream)
        assert not near.has("k") and await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
        assert near_server.near_gets == 1


@pytest.mark.parametrize(
    "status", [pipe.CallStatus(code=12), pipe.CallStatus(code=8, message="128 near streams, its most")]
)
async def test_rejected_near_open_is_logged_once_and_retried_per_stream(
    near_server: NearServer, caplog: pytest.LogCaptureFixture, status: pipe.CallStatus
) -> None:
    near_server.refuses_open = status
    with caplog.at_level(logging.WARNING, "larder_cache"):
        async with near_client(near_server.port, opened=False) as near:
            for _ in range(3):
                assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
            assert near_server.near_gets == 0 and not near.has("k")
            for refused in (status, None):
                near_server.refuses_open = refused
                near_server.end_streams("ok")
                await until(lambda: near.client.statistics().connections == 0)
                assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
            await until(lambda: near.reads.has_stream)
            assert near_server.received["near_open"] == 3
            await near.keep("k")
    assert len([each for each in caplog.records if "rejected the near cache" in each.message]) == 1


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


async def test_unanswered_near_open_does_not_affect_calls(near_server: NearServer) -> None:
    async def silent(call: pipe.Operation) -> pipe.Result | None:
        return None if call.WhichOneof("call") == "near_open" else near_server.answer(call)

    near_server.on_operation = silent
    async with near_client(near_server.port, opened=False) as near:
        for _ in range(3):
            assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
        assert near_server.near_gets == 0 and not any(near.client.held().values())


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
