"""Helpers for the tests of leases: clients of the server or of a fake, factories, and expired values."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from larder_cache import CacheClient, Configuration, Configurations, CredentialProvider, GetOrSetOptions
from larder_cache import responses as r
from larder_cache.fake import FakeServer as Fake
from tests.conftest import PATIENCE_S

BOTH = pytest.mark.parametrize("kind", ["server", "fake"])
LEASED = GetOrSetOptions()


def patient(**changes: Any) -> Configuration:
    return Configurations.Laptop.v1().with_settings(request_timeout_s=PATIENCE_S, **changes)


def client_of(fake: Fake | None, port: int) -> CacheClient:
    if fake is not None:
        return fake.client()
    return CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=patient())


@asynccontextmanager
async def one_client(kind: str, port: int) -> AsyncIterator[tuple[CacheClient, Fake | None]]:
    """Yield a client, whose cache is emptied first, and the fake server. Without a fake, the second value is None."""
    fake = Fake() if kind == "fake" else None
    async with client_of(fake, port) as client:
        await client.flush_cache("cache")
        yield client, fake


@asynccontextmanager
async def two_clients(kind: str, port: int) -> AsyncIterator[tuple[CacheClient, CacheClient]]:
    """Return two clients of one server that are as independent as two processes."""
    async with one_client(kind, port) as (first, fake), client_of(fake, port) as second:
        yield first, second


class Loader:
    """A factory that counts its calls, and optionally waits until the test releases it."""

    def __init__(self, *raised: Exception) -> None:
        self.calls = 0
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.raised = list(raised)

    async def __call__(self) -> str:
        self.calls += 1
        self.begun.set()
        await self.go_on.wait()
        if self.raised:
            raise self.raised.pop(0)
        return f"made {self.calls}"


def ready(*raised: Exception) -> Loader:
    loader = Loader(*raised)
    loader.go_on.set()
    return loader


async def expired(client: CacheClient, key: str) -> None:
    while await client.cache("cache").results.get(key) != r.MISS:
        await asyncio.sleep(0.01)


async def left_s(client: CacheClient, key: str) -> int:
    """Return the remaining TTL of an item in seconds, rounded up.

    With a fake, whose time does not advance, this is the whole TTL.
    """
    answer = await client.cache("cache").results.item_get_ttl(key)
    assert isinstance(answer, r.RemainingTtl)
    return -(-answer.remaining_ttl_ms // 1_000)


async def stale(client: CacheClient, fake: Fake | None, options: GetOrSetOptions) -> None:
    """Store an expired value "old"."""

    async def old() -> str:
        return "old"

    assert await client.cache("cache").results.get_or_set("k", old, ttl=0.05, options=options) == b"old"
    if fake is not None:
        fake.advance(1)
    await expired(client, "k")
