"""With an unreachable server, all calls after the first fail with Unavailable immediately and without a retry."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from larder_cache import CacheClient, CacheError, Configuration, Configurations, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from tests.conftest import pipelined, until
from tests.support.fake_server import FakeServer


@pytest.fixture
def refusing() -> Iterator[int]:
    """Yield a port on which nothing listens, and which no other program can use."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def _client(port: int, configuration: Configuration) -> CacheClient:
    return CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=configuration)


async def _call(client: CacheClient) -> tuple[Any, bool]:
    """Make a call.

    Returns the response, and whether it arrived within a few iterations of the event loop and without a sleep.
    """
    call = asyncio.create_task(client.cache("cache").results.get("k"))
    for _ in range(8):
        await asyncio.sleep(0)
    at_once = call.done()
    return await call, at_once


async def test_calls_after_the_first_failure_fail_immediately_without_retry(refusing: int) -> None:
    async with _client(refusing, pipelined().with_settings(request_timeout_s=0.3)) as client:
        first = await client.cache("cache").results.get("k")
        assert isinstance(first, r.Error) and first.code is ErrorCode.UNAVAILABLE, first
        immediate = 0
        for _ in range(50):
            answer, at_once = await _call(client)
            immediate += at_once
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
            assert "1 attempt," in answer.message and "ConnectionRefusedError" in answer.message
        # Calls made during an attempt to connect wait for that attempt (RETRY-9).
        assert immediate >= 40
        assert client.statistics().in_flight == 0


async def test_call_with_refused_connection_is_unavailable_even_past_deadline(
    refusing: int, configuration: Configuration
) -> None:
    for seconds in (0.02, 0.3):
        async with _client(refusing, configuration.with_settings(request_timeout_s=seconds)) as client:
            answers = [await client.cache("cache").results.get("k") for _ in range(4)]
            answers.append(await client.cache("cache").with_timeout(0.01).results.get("k"))
            assert {answer.code for answer in answers if isinstance(answer, r.Error)} == {ErrorCode.UNAVAILABLE}


async def test_unary_calls_after_the_grace_period_are_sent_once(refusing: int) -> None:
    unary = Configurations.Laptop.v1().with_settings(transport=pipelined().transport.UNARY, request_timeout_s=0.3)
    async with _client(refusing, unary) as client:
        await client.cache("cache").results.get("k")
        for _ in range(3):
            answer = await client.cache("cache").results.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
            assert "1 attempt," in answer.message, answer


class Noted:
    """Metrics that record the calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        if name == "cache.client.operation.duration":
            self.calls.append(attributes["cache.operation"])

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        pass

    def watch(self, name: str, read: Any) -> None:
        pass


async def test_get_or_set_makes_one_call_to_an_unreachable_server(refusing: int) -> None:
    noted, made = Noted(), list[str]()
    credentials, configuration = CredentialProvider.local(port=refusing), pipelined().with_settings(
        request_timeout_s=0.2
    )
    async with CacheClient(credentials, default_ttl=60, configuration=configuration, metrics=noted) as client:

        async def make() -> str:
            made.append("made")
            return "made"

        assert await client.cache("cache").get_or_set("k", make) == b"made"
        assert (made, noted.calls) == (["made"], ["get"])


async def test_client_reconnects_to_a_restarted_server_at_the_next_probe(refusing: int) -> None:
    configuration = pipelined().with_settings(request_timeout_s=0.2)
    async with FakeServer() as first:
        port = first.port
        client = _client(port, configuration)
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
    assert isinstance(await client.cache("cache").results.get("k"), r.Error)
    async with FakeServer(port=port):
        answers: list[Any] = []

        async def ask() -> None:
            while not answers or isinstance(answers[-1], r.Error):
                answers.append(await client.cache("cache").results.get("k"))
                await asyncio.sleep(0.01)

        asking = asyncio.create_task(ask())
        await until(asking.done)
        assert isinstance(answers[-1], r.Miss)
        await client.aclose()


async def test_blocking_calls_after_the_first_failure_are_not_retried(refusing: int) -> None:
    def use() -> None:
        configuration = pipelined().with_settings(request_timeout_s=0.2)
        with sync.CacheClient(
            CredentialProvider.local(port=refusing), default_ttl=60, configuration=configuration
        ) as c:
            answers = [c.cache("cache").results.get("k") for _ in range(20)]
            assert {answer.code for answer in answers if isinstance(answer, r.Error)} == {ErrorCode.UNAVAILABLE}
            assert all("1 attempt," in answer.message for answer in answers[1:] if isinstance(answer, r.Error))

    await asyncio.get_running_loop().run_in_executor(None, use)


async def test_entering_eager_client_raises_if_server_is_unreachable(
    refusing: int, configuration: Configuration
) -> None:
    eager = configuration.with_settings(eager_connect=True, connect_timeout_s=0.1)
    for _ in range(2):
        with pytest.raises(CacheError, match="cannot connect to 127.0.0.1") as refused:
            async with _client(refusing, eager):
                pass
        assert refused.value.code is ErrorCode.UNAVAILABLE
    async with FakeServer() as server:
        async with _client(server.port, eager.with_settings(connect_timeout_s=30)) as client:
            assert client.statistics().connections == 1

    def enter() -> ErrorCode:
        credentials = CredentialProvider.local(port=refusing)
        with pytest.raises(CacheError) as refused:
            with sync.CacheClient(credentials, default_ttl=60, configuration=eager):
                pass
        return refused.value.code

    assert await asyncio.get_running_loop().run_in_executor(None, enter) is ErrorCode.UNAVAILABLE


async def test_connection_attempt_has_its_own_timeout_and_is_retried(configuration: Configuration) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(100)
        silent.setblocking(False)
        brief = configuration.with_settings(request_timeout_s=1.5, connect_timeout_s=0.05, max_back_off_s=0.08)
        async with _client(silent.getsockname()[1], brief) as client:
            answer = await client.cache("cache").results.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
        attempts = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                silent.accept()[0].close()
                attempts += 1
        assert attempts >= 3, "one attempt of the usual five seconds would have been the only one"
