"""N8: cancelled calls leak no permit and are cancelled at the server, with the fake server."""

from __future__ import annotations

import asyncio
import random

import pytest

from larder_cache import Configuration
from larder_cache import responses as r
from tests.conftest import PATIENCE_S, capped, client_of, pipelined, unary, until
from tests.support.fake_server import FakeServer
from tests.transport.fault_helpers import no_answer


@pytest.mark.parametrize("seed", range(4))
async def test_n8_cancellation_at_any_point_leaks_no_permit(
    server: FakeServer, configuration: Configuration, seed: int
) -> None:
    chance = random.Random(seed)
    async with client_of(server, capped(configuration, 7)) as client:
        for i in range(20):
            await client.cache("cache").results.set(f"k{i}", f"v{i}")
        calls = {
            asyncio.create_task(client.cache("cache").results.get(f"k{i % 20}")): b"v%d" % (i % 20) for i in range(200)
        }
        victims = chance.sample(list(calls), 100)
        for victim in victims:
            for _ in range(chance.randrange(3)):
                await asyncio.sleep(0)
            victim.cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        for value, answer in zip(calls.values(), answers, strict=True):
            assert isinstance(answer, asyncio.CancelledError) or answer == r.Hit(value)
        await until(lambda: client.statistics().in_flight == 0)
        assert client.statistics().queued == 0
        assert await client.cache("cache").results.get("k3") == r.Hit(b"v3")


async def test_n8_cancelled_call_is_cancelled_at_the_server(server: FakeServer) -> None:
    server.on_operation = no_answer
    async with client_of(server, pipelined()) as client:
        call = asyncio.create_task(client.cache("cache").results.get("k"))
        await until(lambda: server.received.get("get", 0) == 1)
        call.cancel()
        await until(lambda: len(server.cancels) == 1)


async def test_n8_cancelled_unary_call_is_cancelled_at_the_server(server: FakeServer) -> None:
    ended = asyncio.Event()

    async def gate() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    server.unary_gate = gate
    async with client_of(server, unary()) as client:
        call = asyncio.create_task(client.cache("cache").results.get("k"))
        await until(lambda: server.received.get("unary get", 0) == 1)
        call.cancel()
        async with asyncio.timeout(PATIENCE_S):
            await ended.wait()
        assert client.statistics().in_flight == 0


async def test_stream_without_free_ids_is_replaced_without_failing_a_call(server: FakeServer) -> None:
    server.on_operation = no_answer
    async with client_of(server, capped(pipelined(), 2)) as client:
        for _ in range(8):
            # Cancel each call before its response. The ids of these calls are not reused, and a stream has 4 × 2 ids.
            call = asyncio.create_task(client.cache("cache").results.get("k"))
            seen = server.received.get("get", 0)
            await until(lambda seen=seen: server.received.get("get", 0) > seen)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
        server.on_operation = None
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
        assert server.streams == 2
