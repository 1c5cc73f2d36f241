"""Clients with a near cache, with the real server that is built from this repository."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from larder_cache import CacheClient, CollectionTtl, CredentialProvider
from larder_cache import responses as r
from tests.conftest import PATIENCE_S, pipelined, unary, until
from tests.near.conftest import Near, near_client, new_key


@pytest.fixture
async def one(real_port: int) -> AsyncIterator[Near]:
    async with near_client(real_port, real_clock=True) as near:
        yield near


@pytest.fixture
async def another(real_port: int) -> AsyncIterator[CacheClient]:
    """Return a client without a near cache."""
    async with CacheClient(CredentialProvider.local(port=real_port), default_ttl=60, configuration=pipelined()) as made:
        yield made


async def _kept(near: Near, value: str = "v1") -> str:
    key = new_key()
    assert await near.client.cache("cache").results.set(key, value) == r.SUCCESS
    await near.keep(key, value)
    return key


async def test_near_copy_is_invalidated_by_writes_of_another_client(one: Near, another: CacheClient) -> None:
    key, other = await _kept(one), await _kept(one)
    for number in range(20):
        assert await another.cache("cache").results.set(key, f"v{number}") == r.SUCCESS
        await until(lambda: not one.has(key))
        assert await one.client.cache("cache").results.get(key) == r.Hit(f"v{number}".encode())
    assert one.has(other) and one.figures.invalidations == 20
    assert await another.cache("cache").results.increment(other + "-n", 1) == r.Incremented(1)
    assert await another.cache("cache").results.delete(other) == r.SUCCESS
    await until(lambda: not one.has(other))
    assert await one.client.cache("cache").results.get(other) == r.MISS


async def test_near_copy_is_invalidated_by_a_unary_write(one: Near, real_port: int) -> None:
    key = await _kept(one)
    credentials = CredentialProvider.local(port=real_port)
    async with CacheClient(credentials, default_ttl=60, configuration=unary()) as another:
        assert await another.cache("cache").results.set(key, "v2") == r.SUCCESS
    await until(lambda: not one.has(key))


async def test_ttl_update_invalidates_the_near_copy(one: Near, another: CacheClient) -> None:
    key = await _kept(one)
    assert isinstance(await another.cache("cache").results.update_ttl(key, 0.05), r.TtlSet)
    await until(lambda: not one.has(key))
    async with asyncio.timeout(PATIENCE_S):
        while await one.client.cache("cache").results.get(key) != r.MISS:
            await asyncio.sleep(0.002)
    assert not one.has(key)


async def test_near_cache_stores_only_values_up_to_64_kib(one: Near) -> None:
    largest, larger = new_key(), new_key()
    for key, size in ((largest, 65_536), (larger, 65_537)):
        value = bytes(size)
        assert await one.client.cache("cache").results.set(key, value) == r.SUCCESS
        for _ in range(2):
            assert await one.client.cache("cache").results.get(key) == r.Hit(value)
    assert one.has(largest) and not one.has(larger)


@pytest.mark.parametrize("whose", ["its own", "another's"])
async def test_flush_and_cache_deletion_drop_near_copies(one: Near, another: CacheClient, whose: str) -> None:
    by = one.client if whose == "its own" else another
    await by.create_cache("gone")
    for act in (by.flush_cache, by.delete_cache):
        assert await one.client.cache("gone").results.set("k", "v1") == r.SUCCESS
        await one.keep("k", cache="gone")
        await act("gone")
        await until(lambda: not one.has("k", "gone"))
    answer = await one.client.cache("gone").results.get("k")
    assert isinstance(answer, r.Error)


async def test_collection_that_replaces_a_value_drops_its_near_copy(one: Near, another: CacheClient) -> None:
    key = await _kept(one)
    assert await another.cache("cache").results.delete(key) == r.SUCCESS
    assert await another.cache("cache").results.dictionary_set(key, {"a": "1"}, ttl=CollectionTtl(60)) == r.SUCCESS
    await until(lambda: not one.has(key))
    answer = await one.client.cache("cache").results.get(key)
    assert isinstance(answer, (r.Error, r.Miss)) and not one.has(key)
    assert isinstance(await one.client.cache("cache").results.dictionary_fetch(key), r.DictionaryFetchHit)


async def test_near_lease_is_renewed_while_the_client_is_open(one: Near) -> None:
    key = await _kept(one)
    after_the_first = one.reads.now() + 3
    await until(lambda: one.reads.state.find("cache", key.encode(), after_the_first) is not None)


CLIENTS, KEYS, ROUNDS = 3, 5, 300


async def test_concurrent_near_reads_never_return_values_out_of_order(real_port: int) -> None:
    keys = [new_key() for _ in range(KEYS)]
    versions: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        made = [near_client(real_port, real_clock=True) for _ in range(CLIENTS)]
        nears = [await stack.enter_async_context(each) for each in made]
        for key in keys:
            await nears[0].client.cache("cache").results.set(key, "0")
        hits = 0

        async def read(near: Near, seen: Counter[str], drawn: random.Random) -> None:
            for _ in range(ROUNDS * 4):
                key = drawn.choice(keys)
                least = seen[key]
                found = await near.client.cache("cache").results.get(key)
                assert isinstance(found, r.Hit)
                assert int(found.value) >= least, "older than a value that this client has seen, or written"
                seen[key] = max(seen[key], int(found.value))
                await asyncio.sleep(0)

        async def write(near: Near, seen: Counter[str], own: list[str], drawn: random.Random) -> None:
            for _ in range(ROUNDS):
                key = drawn.choice(own)
                versions[key] += 1
                version = versions[key]
                if drawn.random() < 0.1:
                    # It is unknown whether the value was stored, and no caller has read it yet. So do not record the
                    # version as seen.
                    await near.client.cache("cache").with_timeout(0.0005).results.set(key, str(version))
                elif isinstance(await near.client.cache("cache").results.set(key, str(version)), r.Success):
                    seen[key] = max(seen[key], version)
                await asyncio.sleep(0)

        async with asyncio.TaskGroup() as group:
            for number, near in enumerate(nears):
                seen: Counter[str] = Counter()
                own = keys[number::CLIENTS]
                for reader in range(4):
                    group.create_task(read(near, seen, random.Random(reader)))
                group.create_task(write(near, seen, own, random.Random(number)))
        for near in nears:
            near.reads.state.assert_valid()
            hits += near.figures.hits
            assert not any(near.client.held().values())
        assert hits > ROUNDS, "many of them were answered by copies"
