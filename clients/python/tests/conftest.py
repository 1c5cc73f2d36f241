"""Fixtures shared by the tests."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from larder_cache import CacheClient, Configuration, Configurations, CredentialProvider, Transport
from tests.support.fake_server import FakeServer

# Use long timeouts, because a loaded machine is slow and these tests do not check speed.
settings.register_profile(
    "larder",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=500 if "LARDER_LONG" in os.environ else 40,
)
settings.load_profile("larder")

# A time limit that is long enough for a loaded machine. No test that passes waits until it has elapsed.
PATIENCE_S = float(os.environ.get("LARDER_PATIENCE_S", "30"))


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as running:
        yield running


def _patient(**settings: Any) -> Configuration:
    """Return settings with a long timeout and short waits before retries.

    No test that passes waits until the timeout has elapsed.
    """
    return Configurations.Laptop.v1().with_settings(request_timeout_s=PATIENCE_S, initial_back_off_s=0.004, **settings)


def client_of(server: FakeServer, configuration: Configuration | None = None) -> CacheClient:
    chosen = configuration or _patient()
    return CacheClient(CredentialProvider.local(port=server.port), default_ttl=60, configuration=chosen)


def pipelined() -> Configuration:
    return _patient(transport=Transport.PIPELINE)


def unary() -> Configuration:
    return _patient(transport=Transport.UNARY)


def capped(configuration: Configuration, cap: int) -> Configuration:
    """Return a copy of the configuration that limits the calls in flight to `cap` on each transport."""
    return configuration.with_settings(max_in_flight_unary=cap, max_in_flight_pipeline=cap)


@pytest.fixture(params=["unary", "pipeline"])
def configuration(request: pytest.FixtureRequest) -> Configuration:
    return unary() if request.param == "unary" else pipelined()


def run_alone(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on a new event loop, without affecting pytest-asyncio's loop."""
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(work)
    finally:
        loop.close()


def stable_id(value: object) -> str:
    """Return the repr without the object's address. Processes that share a test run must use the same test names."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true. Fail after a long timeout."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.002)
