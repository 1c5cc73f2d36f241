"""get_or_set without a lease: a failed get, and the type of the created value."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import client_of
from tests.support.fake_server import FakeServer


async def test_get_or_set_skips_the_set_after_a_failed_get(server: FakeServer) -> None:
    async def fail(call: pipe.Operation) -> pipe.Result:
        return pipe.Result(id=call.id, status=pipe.CallStatus(code=13, message="no"))

    server.on_operation = fail
    async with client_of(server) as client:

        async def make() -> str:
            return "made"

        assert await client.cache("cache").get_or_set("k", make) == b"made"
    assert "set" not in server.received


async def test_get_or_set_returns_immutable_copies_of_a_factory_buffer(server: FakeServer) -> None:
    async with client_of(server) as client:
        buffer = bytearray(b"made")
        gate = asyncio.Event()

        async def make() -> Any:
            await gate.wait()
            return buffer

        calls = [asyncio.create_task(client.cache("cache").get_or_set("k", make)) for _ in range(2)]
        await asyncio.sleep(0)
        gate.set()
        got = await asyncio.gather(*calls)
        buffer[0] = 0
        assert got == [b"made"] * 2 and {type(each) for each in got} == {bytes}

        async def wrong() -> Any:
            return 7

        with pytest.raises(TypeError):
            await client.cache("cache").get_or_set("other", wrong)
        assert client.statistics().in_flight == 0
