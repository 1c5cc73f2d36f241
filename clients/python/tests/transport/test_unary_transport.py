"""Unary calls, on shared connections."""

from __future__ import annotations

import asyncio
import socket

import grpc
import pytest

from larder_cache import Configuration, ErrorCode
from larder_cache import responses as r
from tests.conftest import client_of, pipelined, unary, until
from tests.support.fake_server import FakeServer

_LARGE = bytes(1_000_000)


@pytest.mark.parametrize("settings", [unary(), pipelined()], ids=["unary", "pipeline"])
async def test_unary_client_completes_calls_of_every_size(server: FakeServer, settings: Configuration) -> None:
    async with client_of(server, settings) as client:
        for value in (b"", b"v", bytes(65_530), _LARGE):
            assert await client.cache("cache").results.set("k", value) == r.Success()
            assert await client.cache("cache").results.get("k") == r.Hit(value)
        await client.ping()
        assert client.statistics().in_flight == 0


async def test_concurrent_unary_calls_receive_their_own_responses(server: FakeServer) -> None:
    async with client_of(server, unary()) as client:
        await asyncio.gather(*(client.cache("cache").results.set(f"{n}", f"{n}") for n in range(200)))
        answers = await asyncio.gather(*(client.cache("cache").results.get(f"{n}") for n in range(200)))
        assert answers == [r.Hit(b"%d" % n) for n in range(200)]


async def test_server_status_becomes_the_error_of_the_call(server: FakeServer) -> None:
    server.unary_status = grpc.StatusCode.PERMISSION_DENIED
    async with client_of(server, unary()) as client:
        answer = await client.cache("cache").results.set("k", "v")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.PERMISSION_DENIED and "injected" in str(answer)


async def test_unary_call_times_out_at_its_deadline(server: FakeServer) -> None:
    never = asyncio.Event()

    async def gate() -> None:
        await never.wait()

    server.unary_gate = gate
    async with client_of(server, unary()) as client:
        assert await client.connect()
        answer = await client.cache("cache").with_timeout(0.2).results.set("k", "v")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
        assert client.statistics().in_flight == 0


async def test_cancelled_unary_call_leaks_nothing(server: FakeServer) -> None:
    never = asyncio.Event()

    async def gate() -> None:
        await never.wait()

    async with client_of(server, unary()) as client:
        server.unary_gate = gate
        call = asyncio.create_task(client.cache("cache").results.set("k", "v"))
        await until(lambda: server.received.get("unary set") == 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        server.unary_gate = None
        assert await client.cache("cache").results.set("k", "v") == r.Success() and client.statistics().in_flight == 0


async def test_call_fails_with_unavailable_if_connection_is_refused() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        server = FakeServer(port=closed.getsockname()[1])
        async with client_of(server, unary().with_settings(request_timeout_s=0.5)) as client:
            answer = await client.cache("cache").results.set("k", "v")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
            assert not await client.connect(timeout_s=0.05)


async def test_connect_returns_true_if_the_server_is_reachable(server: FakeServer) -> None:
    async with client_of(server, unary()) as client:
        assert await client.connect()
