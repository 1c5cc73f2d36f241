"""General behaviour of `CacheClient`."""

from __future__ import annotations

import asyncio
import unittest.mock

import pytest

from larder_cache import Cache, CacheClient, CacheResults, ErrorCode
from larder_cache import responses as r
from larder_cache.sync import CacheClient as BlockingClient
from tests.conftest import run_alone
from tests.support.fake_server import FakeServer


def test_get_and_set_are_recognized_as_coroutine_functions() -> None:
    for handle in (Cache, CacheResults):
        mock = unittest.mock.create_autospec(handle)
        assert isinstance(mock.get, unittest.mock.AsyncMock) and isinstance(mock.set, unittest.mock.AsyncMock)
        assert asyncio.iscoroutinefunction(handle.get)


def _connect(url: str) -> None:
    with BlockingClient(url, default_ttl=60) as client:
        assert isinstance(client.cache("cache").results.get("k"), r.Miss)


async def test_client_accepts_a_url_as_credentials(server: FakeServer) -> None:
    async with CacheClient(f"http://127.0.0.1:{server.port}", default_ttl=60) as client:
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
    await asyncio.to_thread(_connect, f"http://127.0.0.1:{server.port}")
    with pytest.raises(ValueError, match="ftp"):
        CacheClient("ftp://127.0.0.1", default_ttl=60)
    for wrong in (7, b"http://127.0.0.1:1", object()):
        with pytest.raises(TypeError, match="must be a URL or a CredentialProvider, not"):
            CacheClient(wrong, default_ttl=60)  # type: ignore[arg-type]


def test_coroutine_can_be_created_before_any_event_loop_runs() -> None:
    client = CacheClient(default_ttl=60)
    refused = client.cache("cache").results.get("")

    async def await_it() -> None:
        answer = await refused
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT

    run_alone(await_it())
    for call in (client.cache("cache").results.get("k"), client.cache("cache").results.set("k", "v")):
        call.close()
