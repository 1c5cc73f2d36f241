"""Token providers on all transports, with a server that rejects tokens when the test requests it (AUTH-30 to AUTH-33).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from tests.conftest import pipelined
from tests.support.fake_server import FakeServer

T = TypeVar("T")


def _client(server: FakeServer, configuration: Configuration, provider: Callable[[], Any]) -> CacheClient:
    credentials = CredentialProvider.local(port=server.port).with_token(provider)
    return CacheClient(credentials, default_ttl=60, configuration=configuration)


def _error(response: Any) -> r.Error:
    assert isinstance(response, r.Error), response
    return response


async def test_auth_30_provider_is_called_once_before_the_first_call(
    server: FakeServer, configuration: Configuration
) -> None:
    asked: list[str] = []

    def provider() -> str:
        asked.append(f"token{len(asked)}")
        return asked[-1]

    async with _client(server, configuration, provider) as client:
        for _ in range(5):
            assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)
    assert asked == ["token0"] and set(server.tokens) == {"token0"}


async def test_auth_31_token_is_renewed_once_for_300_rejected_calls(
    server: FakeServer, configuration: Configuration
) -> None:
    good, asked = "token0", 0

    async def provider() -> str:
        nonlocal asked
        asked += 1
        return good

    server.refuses = lambda token: token != good
    async with _client(server, configuration, provider) as client:
        assert isinstance(await client.cache("cache").results.increment("n", 1), r.Incremented)
        good = "token1"
        answers = await asyncio.gather(*(client.cache("cache").results.increment("n", 1) for _ in range(300)))
        assert [answer for answer in answers if isinstance(answer, r.Error)] == []
        assert asked == 2
        assert await client.cache("cache").results.get("n") == r.Hit(b"301")


async def test_auth_31_calls_fail_if_every_new_token_is_rejected(
    server: FakeServer, configuration: Configuration
) -> None:
    asked = 0

    def provider() -> str:
        nonlocal asked
        asked += 1
        return f"token{asked}"

    server.refuses = lambda token: True
    brief = configuration.with_settings(initial_back_off_s=0.001, max_back_off_s=0.01)
    async with _client(server, brief, provider) as client:
        began = time.monotonic()
        for _ in range(50):
            error = _error(await client.cache("cache").results.get("k"))
            assert error.code is ErrorCode.UNAUTHENTICATED
            assert "unknown token" in error.message and "token1" not in error.message
        assert asked <= 2 + (time.monotonic() - began)


async def test_auth_31_call_is_not_retried_with_the_same_token(
    server: FakeServer, configuration: Configuration
) -> None:
    server.refuses = lambda token: True
    async with _client(server, configuration, lambda: "same") as client:
        assert _error(await client.cache("cache").results.get("k")).code is ErrorCode.UNAUTHENTICATED
        assert len(server.tokens) <= 2


async def test_auth_31_calls_complete_when_every_second_request_is_rejected(
    server: FakeServer, configuration: Configuration
) -> None:
    asked = calls = 0

    def provider() -> str:
        nonlocal asked
        asked += 1
        return f"token{asked}"

    def refuses(_: str) -> bool:
        nonlocal calls
        calls += 1
        return calls % 2 == 0

    server.refuses = refuses
    async with _client(server, configuration, provider) as client:
        for _ in range(20):
            response = await client.cache("cache").results.get("k")
            assert isinstance(response, r.Miss) or _error(response).code is ErrorCode.UNAUTHENTICATED
        assert asked < 20


async def test_auth_33_error_includes_provider_exception_but_hides_its_text(
    server: FakeServer, configuration: Configuration
) -> None:
    raised = TypeError("sesame")

    def provider() -> str:
        raise raised

    async with _client(server, configuration, provider) as client:
        error = _error(await client.cache("cache").results.set("k", "v"))
        assert error.code is ErrorCode.UNAUTHENTICATED and error.exception is raised
        assert "the token provider raised TypeError" in error.message and "sesame" not in repr(error)
        assert error.to_exception().__cause__ is raised
        assert server.tokens == []


async def test_auth_33_provider_error_is_reported_and_later_calls_recover(
    server: FakeServer, configuration: Configuration
) -> None:
    answers: list[Any] = ["token0", 7, "token2"]
    good = "token0"
    server.refuses = lambda token: token != good
    async with _client(server, configuration, lambda: answers.pop(0)) as client:
        assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)
        good = "token2"
        error = _error(await client.cache("cache").results.get("k"))
        assert "unknown token; the token provider must return str, not int" in error.message
        while not isinstance(await client.cache("cache").results.get("k"), r.Hit):
            pass
        assert answers == []


async def test_auth_32_calls_waiting_for_a_token_end_at_timeout_or_close(
    server: FakeServer, configuration: Configuration
) -> None:
    async def provider() -> str:
        await asyncio.Event().wait()
        return "never"

    async with _client(server, configuration, provider) as client:
        error = _error(await client.cache("cache").with_timeout(0.05).results.get("k"))
        assert error.code is ErrorCode.TIMEOUT and "before the token provider returned" in error.message
        waiting = asyncio.ensure_future(client.cache("cache").results.get("k"))
        await asyncio.sleep(0.01)
        await client.aclose()
        assert _error(await waiting).code is ErrorCode.CANCELLED
    assert server.tokens == [] and client.held() == dict.fromkeys(client.held(), 0)


async def test_auth_33_connect_fails_without_a_token(server: FakeServer, configuration: Configuration) -> None:
    async with _client(server, configuration, lambda: "") as client:
        assert not await client.connect(timeout_s=5)
    assert server.tokens == []


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, work)


async def test_auth_31_blocking_calls_get_a_new_token_and_run_once(server: FakeServer) -> None:
    good, asked = "token0", 0

    def provider() -> str:
        nonlocal asked
        asked += 1
        return good

    server.refuses = lambda token: token != good
    credentials = CredentialProvider.local(port=server.port).with_token(provider)

    def use() -> None:
        nonlocal good
        with sync.CacheClient(credentials, default_ttl=60, configuration=pipelined()) as client:
            for _ in range(5):
                assert isinstance(client.cache("cache").results.increment("n", 1), r.Incremented)
            assert client.statistics().connections == 2
            good = "token1"
            for _ in range(5):
                assert isinstance(client.cache("cache").results.increment("n", 1), r.Incremented)
            assert client.cache("cache").results.get("n") == r.Hit(b"10")

    await _in_thread(use)
    assert asked == 2


async def test_auth_33_blocking_call_reports_an_invalid_token(server: FakeServer) -> None:
    credentials = CredentialProvider.local(port=server.port).with_token(lambda: "sesame\n")

    def use() -> r.Error:
        with sync.CacheClient(credentials, default_ttl=60, configuration=pipelined()) as client:
            return _error(client.cache("cache").results.get("k"))

    error = await _in_thread(use)
    assert error.code is ErrorCode.UNAUTHENTICATED and "not printable ASCII" in error.message
    assert "sesame" not in error.message


def test_a1_token_and_provider_are_not_printed() -> None:
    credentials = CredentialProvider.from_string("http://a@one,http://b@two").with_token(lambda: "sesame")
    assert "sesame" not in repr(credentials)
    assert [gateway.token for gateway in credentials.gateways()] == ["", ""]
    assert len({gateway.token_provider for gateway in credentials.gateways()}) == 1
    assert credentials.with_token("open").token_provider is None
    with pytest.raises(ValueError, match="printable ASCII"):
        credentials.with_token("a\nb")
