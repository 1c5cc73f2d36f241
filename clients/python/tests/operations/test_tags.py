"""Tags, with the real server and with the fake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from larder_cache import CacheClient, CacheResults, Configurations, CredentialProvider, ErrorCode, NearCache
from larder_cache import responses as r
from larder_cache import sync
from larder_cache.fake import FakeServer
from tests.support.larder_server import larder_server


@pytest.fixture(scope="module")
def real_port() -> Iterator[int]:
    with larder_server() as port:
        yield port


@asynccontextmanager
async def _cache(kind: str, port: int) -> AsyncIterator[CacheResults]:
    if kind == "fake":
        async with FakeServer().client() as client:
            yield client.cache("cache").results
    else:
        credentials = CredentialProvider.from_string(f"http://127.0.0.1:{port}")
        async with CacheClient(credentials, configuration=Configurations.Laptop.v1(), default_ttl=60) as client:
            await client.flush_cache("cache")
            yield client.cache("cache").results


@pytest.mark.parametrize("kind", ["server", "fake"])
async def test_remove_by_tag_removes_items_with_any_of_the_tags(kind: str, real_port: int) -> None:
    async with _cache(kind, real_port) as cache:
        assert await cache.set_with_tags("a", "1", ["red", b"blue"]) == r.SUCCESS
        assert await cache.set_with_tags("b", "2", ["blue"], ttl=50) == r.SUCCESS
        assert isinstance(await cache.get("a"), r.Hit)
        assert await cache.remove_by_tag(["red", b"\xff\0"]) == r.SUCCESS
        assert (await cache.get("a"), isinstance(await cache.get("b"), r.Hit)) == (r.MISS, True)
        await cache.set_with_tags("a", "again", ["red"])
        await cache.set("b", "without")
        assert await cache.remove_by_tag(["blue"]) == r.SUCCESS
        assert isinstance(await cache.get("a"), r.Hit) and isinstance(await cache.get("b"), r.Hit)


@pytest.mark.parametrize("kind", ["server", "fake"])
@pytest.mark.parametrize("tags", [[], ["t"] * 129, ["t"] * 1_280, [""], ["t" * 1_025], ["t" * 10_240], ["\ud800"]])
async def test_tags_out_of_range_are_rejected(kind: str, tags: list[str], real_port: int) -> None:
    async with _cache(kind, real_port) as cache:
        for answer in (await cache.set_with_tags("refused", "v", tags), await cache.remove_by_tag(tags)):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
        assert await cache.get("refused") == r.MISS


@pytest.mark.parametrize("kind", ["server", "fake"])
async def test_maximum_number_and_length_of_tags_are_accepted(kind: str, real_port: int) -> None:
    async with _cache(kind, real_port) as cache:
        tags = [f"{number:04}".ljust(1_024, "t") for number in range(128)]
        assert await cache.set_with_tags("most", "v", tags) == r.SUCCESS
        assert await cache.remove_by_tag(tags) == r.SUCCESS
        assert await cache.get("most") == r.MISS


@pytest.mark.parametrize("tags", ["red", b"red", None, 7, [7], [None]])
async def test_invalid_tag_list_raises_type_error(tags: Any) -> None:
    async with FakeServer().client() as client:
        with pytest.raises(TypeError):
            await client.cache("cache").results.remove_by_tag(tags)
        with pytest.raises(TypeError):
            await client.cache("cache").results.set_with_tags("k", "v", tags)


async def test_remove_by_tag_drops_near_copies(real_port: int) -> None:
    near = Configurations.Laptop.v1().with_settings(near_cache=NearCache(max_bytes=1 << 20))
    credentials = CredentialProvider.from_string(f"http://127.0.0.1:{real_port}")
    async with (
        CacheClient(credentials, configuration=near, default_ttl=60) as one,
        CacheClient(credentials, configuration=near, default_ttl=60) as other,
    ):
        await one.cache("cache").results.set_with_tags("near", "v", ["red"])
        for client in (one, other):
            while client.cache("cache").results.try_get_near("near") is None:
                assert isinstance(await client.cache("cache").results.get("near"), r.Hit)
        await one.cache("cache").results.remove_by_tag(["red"])
        assert one.cache("cache").results.try_get_near("near") is None
        while other.cache("cache").results.try_get_near("near") is not None:
            await asyncio.sleep(0.01)


def test_blocking_client_supports_tags() -> None:
    with FakeServer().sync_client() as client:
        cache: sync.CacheResults = client.cache("cache").results
        assert cache.set_with_tags("a", "1", ["red"]) == r.SUCCESS
        assert cache.remove_by_tag(["red"]) == r.SUCCESS
        assert cache.get("a") == r.MISS
