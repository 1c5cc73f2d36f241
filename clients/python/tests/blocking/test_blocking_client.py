"""The blocking client: exclusive connections of threads, and the shared pipeline for threads without a connection."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from larder_cache import Configuration, Configurations, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.blocking.blocking_stream import BlockingStream
from larder_cache._internal.http2.http2_stream import Http2Stream
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import capped, pipelined, until
from tests.support.fake_server import FakeServer
from tests.support.proxy import Proxy

T = TypeVar("T")


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, work)


def _client(port: int, configuration: Configuration | None = None) -> sync.CacheClient:
    return sync.CacheClient(
        CredentialProvider.local(port=port), default_ttl=60, configuration=configuration or pipelined()
    )


def _proved(client: sync.CacheClient) -> None:
    """Make two calls, after which the thread has an exclusive connection.

    The first call uses the shared pipeline, the second call an exclusive connection.
    """
    assert isinstance(client.cache("cache").results.set("k", "v"), r.Success)
    assert client.cache("cache").results.get("k") == r.Hit(b"v")


def _delay(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, seconds: float) -> None:
    method = getattr(owner, name)

    def late(*arguments: Any) -> None:
        time.sleep(seconds)
        method(*arguments)

    monkeypatch.setattr(owner, name, late)


async def test_blocking_client_completes_calls_of_every_kind_and_size(server: FakeServer) -> None:
    def use() -> None:
        with _client(server.port) as client:
            _proved(client)
            assert client.statistics().connections == 2
            for size in (1, 1_000, 65_536, 66_000):
                value = bytes(size)
                assert isinstance(client.cache("cache").results.set("sized", value), r.Success)
                assert client.cache("cache").results.get("sized") == r.Hit(value)
            assert client.cache("cache").results.increment("n", 5) == r.Incremented(5)
            assert isinstance(client.cache("cache").results.get("absent"), r.Miss)
            answer = client.cache("cache").results.key_exists("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNKNOWN, "the fake has no such call"
            assert client.statistics().in_flight == 0 and client.statistics().in_flight_limit == 1_000

    await _in_thread(use)
    assert server.streams == 2


async def test_blocking_get_survives_server_restart_on_the_same_port() -> None:
    async with FakeServer() as first:
        port = first.port
        client = _client(port)
        await _in_thread(lambda: _proved(client))
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(client.cache("cache").results.get("k"))) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    async with FakeServer(port=port):
        await until(lambda: len(answers) == 20)
        await _in_thread(client.close)
    assert {type(answer) for answer in answers} == {r.Miss}


async def test_lost_connection_retries_only_idempotent_calls(server: FakeServer) -> None:
    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    async with Proxy(server.port) as proxy:
        client = _client(proxy.port)
        await _in_thread(lambda: _proved(client))
        server.on_operation = nothing
        count = asyncio.create_task(_in_thread(lambda: client.cache("cache").results.increment("n")))
        await until(lambda: server.received.get("increment", 0) == 1)
        proxy.cut()
        answer = await count
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
        assert "key of 1 byte" in answer.message and "1 attempt" in answer.message
        server.on_operation = None
        await _in_thread(lambda: _proved(client))
        server.on_operation = nothing
        seen = server.received["get"]
        got = asyncio.create_task(_in_thread(lambda: client.cache("cache").results.get("k")))
        await until(lambda: server.received["get"] > seen)
        server.on_operation = None
        proxy.cut()
        assert await got == r.Hit(b"v")
        assert server.received["increment"] == 1
        await _in_thread(client.close)


async def test_next_call_does_not_get_response_of_timed_out_call(server: FakeServer) -> None:
    held = asyncio.Event()

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        await held.wait()
        return server.answer(call)

    client = _client(server.port)
    await _in_thread(lambda: _proved(client))
    server.on_operation = hold
    answer = await _in_thread(lambda: client.cache("cache").with_timeout(0.05).results.get("k"))
    assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
    server.on_operation = None
    held.set()
    assert isinstance(await _in_thread(lambda: client.cache("cache").results.get("absent")), r.Miss)
    assert (await _in_thread(client.statistics)).in_flight == 0
    await _in_thread(client.close)


async def test_close_ends_the_calls_in_flight(server: FakeServer) -> None:
    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    client = _client(server.port)
    await _in_thread(lambda: _proved(client))
    server.on_operation = nothing
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(client.cache("cache").results.get("k"))) for _ in range(3)
    ]
    seen = server.received["get"]
    for thread in threads:
        thread.start()
    await until(lambda: server.received["get"] == seen + 3)
    await _in_thread(client.close)
    await until(lambda: len(answers) == 3)
    assert {answer.code for answer in answers} == {ErrorCode.CANCELLED}


async def test_close_makes_the_call_in_flight_return_cancelled(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    client = _client(server.port)
    await _in_thread(lambda: _proved(client))
    server.on_operation = nothing
    seen = server.received["get"]
    answer = asyncio.ensure_future(_in_thread(lambda: client.cache("cache").results.get("k")))
    await until(lambda: server.received["get"] == seen + 1)
    # With these delays, the thread that closes the client ends the stream first. The thread that waits for the call
    # wakes up and checks the stream before that end is recorded.
    _delay(monkeypatch, Http2Stream, "connection_lost", 0.1)
    _delay(monkeypatch, BlockingStream, "on_end", 0.3)
    await _in_thread(client.close)
    ended: Any = await answer
    assert isinstance(ended, r.Error) and ended.code is ErrorCode.CANCELLED


@pytest.mark.parametrize("how", ["ok", "abort", "draining"])
async def test_call_succeeds_if_its_idle_stream_has_ended(server: FakeServer, how: str) -> None:
    client = _client(server.port)
    for _ in range(3):
        await _in_thread(lambda: _proved(client))
        server.end_streams(how)
        await asyncio.sleep(0.06)  # Longer than a connection may be idle without being checked.
        assert isinstance(await _in_thread(lambda: client.cache("cache").results.increment("n")), r.Incremented)
    await _in_thread(client.close)


@pytest.mark.parametrize("cap", [1, 2, 3])
async def test_pipeline_and_unary_calls_of_blocking_client_share_one_limit(server: FakeServer, cap: int) -> None:
    now, most = 0, 0

    async def note() -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1

    async def noted(call: pipe.Operation) -> pipe.Result:
        await note()
        return server.answer(call)

    client = _client(server.port, capped(pipelined(), cap))
    await _in_thread(lambda: _proved(client))
    server.on_operation, server.unary_gate = noted, note
    answers: list[Any] = []

    def use() -> None:
        for _ in range(10):
            answers.append(client.cache("cache").results.set("large", bytes(70_000)))
            answers.append(client.cache("cache").results.get("k"))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    await until(lambda: len(answers) == 160)
    assert {type(each) for each in answers} == {r.Success, r.Hit} and most <= cap
    assert server.received["unary set"] == 80
    assert (await _in_thread(client.statistics)).in_flight_limit == cap
    await _in_thread(client.close)


async def test_interrupted_call_discards_its_connection(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    client = _client(server.port)
    await _in_thread(lambda: _proved(client))
    receive = BlockingStream._receive  # pyright: ignore[reportPrivateUsage]

    def interrupted(self: BlockingStream) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(BlockingStream, "_receive", interrupted)

    def call() -> bool:
        try:
            client.cache("cache").results.get("k")
        except KeyboardInterrupt:
            return True
        return False

    assert await _in_thread(call)
    monkeypatch.setattr(BlockingStream, "_receive", receive)
    assert isinstance(await _in_thread(lambda: client.cache("cache").results.get("absent")), r.Miss)
    assert (await _in_thread(client.statistics)).in_flight == 0
    await _in_thread(client.close)


async def test_server_without_pipeline_receives_unary_calls() -> None:
    def use(port: int) -> None:
        with _client(port, Configurations.Laptop.latest()) as client:
            for _ in range(5):
                assert isinstance(client.cache("cache").results.get("k"), r.Miss)

    async with FakeServer(pipeline=False) as old:
        await _in_thread(lambda: use(old.port))
        assert old.received == {"unary get": 5}
