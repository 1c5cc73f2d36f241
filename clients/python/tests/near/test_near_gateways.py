"""With several gateways, one gateway has the near stream, and the client sends cacheable gets to it (NEAR-20)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import until
from tests.near.conftest import Near, near_client
from tests.near.near_server import NearServer

Both = tuple[Near, NearServer, NearServer]


@asynccontextmanager
async def _two(*, refuses: bool = False) -> AsyncIterator[Both]:
    """Yield a client, the gateway that has the near stream, and the other gateway.

    If `refuses` is true, both gateways reject the near stream.
    """
    async with NearServer() as one, NearServer() as two:
        for each in (one, two):
            each.items = {b"%d" % number: b"v1" for number in range(20)}
            each.refuses_open = pipe.CallStatus(code=8) if refuses else None
        text = f"http://127.0.0.1:{one.port},http://127.0.0.1:{two.port}"
        async with near_client(text, opened=not refuses) as near:
            await until(lambda: not any(gateway.left_out for gateway in near.client.statistics().gateways))
            first, other = (one, two) if one.received.get("near_open") else (two, one)
            yield near, first, other


async def test_near_stream_uses_one_gateway_and_receives_all_cacheable_gets() -> None:
    async with _two() as (near, first, other):
        for number in range(20):
            await near.keep(str(number))
        assert first.near_gets == 20 and "near_open" not in other.received and "get" not in other.received
        while not other.received.get("set"):
            assert await near.client.cache("cache").results.set("m", "v") == r.SUCCESS


async def test_write_through_the_other_gateway_drops_the_near_copy() -> None:
    async with _two() as (near, _, other):
        while not other.received.get("set"):
            await near.keep("5")
            assert await near.client.cache("cache").results.set("5", "v1") == r.SUCCESS
            assert not near.has("5")


async def test_losing_a_gateway_drops_copies_and_moves_the_near_stream() -> None:
    async with _two() as (near, first, other):
        await near.keep("1")
        first.end_streams("draining")
        await until(lambda: not near.has("1"))
        await until(lambda: other.received.get("near_open") == 1)
        await until(lambda: near.reads.has_stream)
        await near.keep("2")
        assert other.near_gets == 1
        await until(lambda: not any(gateway.left_out for gateway in near.client.statistics().gateways))
        other.end_streams("draining")
        await until(lambda: not near.has("2"))
        await until(lambda: near.reads.has_stream)
        await near.keep("3")
        near.reads.state.assert_valid()


async def test_near_open_rejected_by_all_gateways_disables_the_near_cache() -> None:
    async with _two(refuses=True) as (near, first, other):
        await until(lambda: first.received.get("near_open") == other.received.get("near_open") == 1)
        found = await asyncio.gather(*(near.client.cache("cache").results.get(str(number)) for number in range(20)))
        assert found == [r.Hit(b"v1")] * 20 and first.near_gets == other.near_gets == 0


async def test_near_get_is_retried_as_plain_get_on_another_gateway() -> None:
    async with _two() as (near, first, other):

        async def refusing(call: pipe.Operation) -> pipe.Result:
            if call.WhichOneof("call") != "get":
                return first.answer(call)
            return pipe.Result(id=call.id, status=pipe.CallStatus(code=14, message="not now", cause="not_executed"))

        first.on_operation = refusing
        assert await near.client.cache("cache").results.get("1") == r.Hit(b"v1")
        assert other.received["get"] == 1 and other.near_gets == 0 and not near.has("1")
        near.reads.state.assert_valid()
