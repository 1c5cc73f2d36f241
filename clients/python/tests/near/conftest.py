"""Clients with a near cache, and servers for them."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, NearCache
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.telemetry.statistics import NearCacheStatistics
from tests.conftest import pipelined, until
from tests.near.near_server import NearServer
from tests.support.larder_server import larder_server

MIB = 1024 * 1024
_number = itertools.count()


def new_key() -> str:
    """Return a key that no other test uses."""
    return f"near-{next(_number)}"


class Clock:
    """A clock in seconds that the test advances."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Near:
    """A client with a near cache, two of its internal objects, and the clock of the near cache."""

    client: CacheClient
    calls: LoopCalls
    reads: NearReads
    clock: Clock

    @property
    def figures(self) -> NearCacheStatistics:
        figures = self.client.near_cache
        assert figures is not None
        return figures

    async def keep(self, key: str, value: str = "v1", cache: str = "cache") -> None:
        """Create a near copy of a key. Another client sets the key first."""
        await self.client.cache(cache).results.get(key)
        assert self.client.cache(cache).results.try_get_near(key) == value.encode(), "it is kept"

    def has(self, key: str, cache: str = "cache") -> bool:
        return self.client.cache(cache).results.try_get_near(key) is not None


def with_near(configuration: Configuration | None = None, **settings: Any) -> Configuration:
    near = NearCache(**cast(Any, {"max_bytes": MIB} | settings))
    return (configuration or pipelined()).with_settings(near_cache=near)


@asynccontextmanager
async def near_client(
    where: int | str,
    configuration: Configuration | None = None,
    *,
    opened: bool = True,
    real_clock: bool = False,
    **more: Any,
) -> AsyncIterator[Near]:
    """Yield a client with a near cache. `where` is the port of a server, or a URL with several gateways.

    Wait first until the client has a near stream, unless `opened` is false.
    """
    credentials = (
        CredentialProvider.local(port=where) if isinstance(where, int) else CredentialProvider.from_string(where)
    )
    made: list[LoopCalls] = []

    def calls(*given: Any) -> LoopCalls:
        made.append(LoopCalls(*given))
        return made[0]

    client = CacheClient(credentials, default_ttl=60, configuration=configuration or with_near(), calls=calls, **more)
    reads, clock = made[0].near, Clock()
    assert reads is not None
    if not real_clock:
        reads.now = clock
    async with client:
        await client.connect()
        if opened:
            await until(lambda: reads.has_stream)
        yield Near(client, made[0], reads, clock)
        await until(lambda: made[0].held()["near gets"] == 0)
        reads.state.assert_valid()


@pytest.fixture
async def near_server() -> AsyncIterator[NearServer]:
    async with NearServer() as running:
        running.items |= {b"k": b"v1", b"m": b"v1", b"n": b"v1"}
        yield running


@pytest.fixture
async def near(near_server: NearServer) -> AsyncIterator[Near]:
    async with near_client(near_server.port) as made:
        yield made


@pytest.fixture(scope="session")
def real_port() -> Iterator[int]:
    """Start a real server, built from this repository."""
    with larder_server() as running:
        yield running
