"""How calls of `CacheClient` are made."""

from __future__ import annotations

import asyncio
import unittest.mock

from larder_cache import CacheClient, ErrorCode
from larder_cache import responses as r
from tests.conftest import run_alone


def test_get_and_set_are_coroutine_functions_to_mocks_and_frameworks() -> None:
    mock = unittest.mock.create_autospec(CacheClient)
    assert isinstance(mock.get, unittest.mock.AsyncMock) and isinstance(mock.set, unittest.mock.AsyncMock)
    assert asyncio.iscoroutinefunction(CacheClient.get)


def test_a_call_may_be_made_where_no_loop_runs_yet() -> None:
    client = CacheClient(default_ttl=60)
    refused = client.get("cache", "")

    async def await_it() -> None:
        answer = await refused
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT

    run_alone(await_it())
    for call in (client.get("cache", "k"), client.set("cache", "k", "v")):
        call.close()
