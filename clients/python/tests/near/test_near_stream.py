"""The near stream and its lease: opening, renewal, loss and recovery, with a server that the test scripts."""

from __future__ import annotations

import asyncio
import logging

import pytest

from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import until
from tests.near.conftest import Near, near_client
from tests.near.near_server import NearServer
from tests.support.proxy import Proxy


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


async def test_unanswered_near_open_does_not_affect_calls(near_server: NearServer) -> None:
    async def silent(call: pipe.Operation) -> pipe.Result | None:
        return None if call.WhichOneof("call") == "near_open" else near_server.answer(call)

    near_server.on_operation = silent
    async with near_client(near_server.port, opened=False) as near:
        for _ in range(3):
            assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
        assert near_server.near_gets == 0 and not any(near.client.held().values())
