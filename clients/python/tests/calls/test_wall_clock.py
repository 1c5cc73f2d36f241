"""Calls and their timeouts work even if a program replaces the wall clock, for example with freezegun."""

from __future__ import annotations

import asyncio
import time
from typing import cast

import pytest

from larder_cache import Configuration, ErrorCode
from larder_cache import responses as r
from tests.conftest import client_of
from tests.support.fake_server import FakeServer

_LARGE = bytes(100_000)
_2001, _2100 = 1_000_000_000.0, 4_102_444_800.0


@pytest.fixture(params=[_2001, _2100])
def frozen_s(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    now = cast(float, request.param)
    monkeypatch.setattr(time, "time", lambda: now)
    return now


@pytest.mark.parametrize("value", [b"v", _LARGE], ids=["small", "large"])
async def test_calls_succeed_if_the_wall_clock_is_frozen(
    server: FakeServer, configuration: Configuration, value: bytes, frozen_s: float
) -> None:
    async with client_of(server, configuration) as client:
        for _ in range(2):
            assert await client.cache("cache").results.set("k", value) == r.Success()
        assert time.time() == frozen_s


async def test_large_value_times_out_if_the_wall_clock_is_frozen(server: FakeServer, frozen_s: float) -> None:
    never = asyncio.Event()

    async def gate() -> None:
        await never.wait()

    async with client_of(server) as client:
        assert await client.cache("cache").results.set("k", _LARGE) == r.Success()
        server.unary_gate = gate
        answer = await client.cache("cache").with_timeout(0.05).results.set("k", _LARGE)
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT and time.time() == frozen_s
