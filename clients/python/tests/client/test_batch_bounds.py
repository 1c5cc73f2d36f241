"""Batches have a maximum number of items, so an endless iterable is rejected instead of blocking the client."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import pytest

from larder_cache import CacheClient, CacheError, Configuration, Configurations, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.operations.arguments import MOST_ITEMS
from larder_cache.codecs import TextCodec
from tests.conftest import client_of
from tests.support.fake_server import FakeServer
from tests.support.larder_server import larder_server


@pytest.fixture
def blocking() -> Iterator[sync.CacheClient]:
    with sync.CacheClient(CredentialProvider.local(port=1), default_ttl=60) as client:
        yield client


async def test_batch_of_the_maximum_size_returns_all_results() -> None:
    patient = Configurations.Laptop.latest().with_settings(request_timeout_s=60)
    with larder_server() as port:
        at = CredentialProvider.local(port=port)
        async with CacheClient(at, default_ttl=3_600, configuration=patient) as client:
            assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)
            exist = await client.cache("cache").results.keys_exist(repeat("k", MOST_ITEMS))
            assert isinstance(exist, r.ExistsEach) and exist.exists == [True] * MOST_ITEMS
            assert not any(client.held().values())


# The requests are not sent to a server, because a million response messages would take a minute in Python. With tag and
# length, a GetRequest has 5 bytes, and a SetRequest with a TTL of 60,000 ms has 12 bytes.
@pytest.mark.parametrize(("name", "item", "item_bytes"), [("get_batch", "k", 5), ("set_batch", ("k", "v"), 12)])
async def test_maximum_batch_sends_every_item(name: str, item: Any, item_bytes: int) -> None:
    sent: list[int] = []

    async def run(_: object, __: str, payload: bytes, ___: float | None) -> r.Error:
        sent.append(len(payload))
        return r.Error(ErrorCode.UNKNOWN, "noted")

    def noted(*made: Any) -> LoopCalls:
        calls = LoopCalls(*made)
        calls.run = run
        return calls

    client = CacheClient(CredentialProvider.local(port=1), default_ttl=60, calls=noted)
    answer: Any = await getattr(client.cache("cache").results, name)(repeat(item, MOST_ITEMS))
    assert answer.code is ErrorCode.UNKNOWN and sum(sent) == item_bytes * MOST_ITEMS


@pytest.mark.parametrize("name", ["get_batch", "keys_exist", "delete_each", "set_batch"])
async def test_batch_over_the_maximum_is_rejected_before_encoding(server: FakeServer, name: str) -> None:
    # If the client copied the items before it rejects them, the copies would take 400 MB.
    item: Any = ("k", "v" * 400) if name == "set_batch" else "k" * 400
    async with client_of(server) as client:
        tracemalloc.start()
        try:
            answer: Any = await getattr(client.cache("cache").results, name)(chain(repeat(item, MOST_ITEMS), [item]))
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        refused = answer[0] if name == "delete_each" else answer
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
        assert most < 100_000_000 and not server.received


@pytest.mark.parametrize("name", ["get_batch", "keys_exist", "delete_each", "set_batch"])
async def test_batch_call_with_endless_items_returns_invalid_argument(
    server: FakeServer, configuration: Configuration, name: str
) -> None:
    endless: Any = repeat(("k", "v") if name == "set_batch" else "k")
    async with client_of(server, configuration) as client:
        answer: Any = await getattr(client.cache("cache").results, name)(endless)
        refused = answer[0] if name == "delete_each" else answer
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
        assert "at most 1,000,000 items" in refused.message
        assert not any(client.held().values())


async def test_endless_keys_raise_in_get_batch_and_in_delete_each(server: FakeServer) -> None:
    async with client_of(server) as client:
        for call in (client.cache("cache").get_batch, client.cache("cache").delete_each):
            with pytest.raises(CacheError, match="at most 1,000,000 items"):
                await call(repeat("k"))


@pytest.mark.parametrize("name", ["get_batch", "get_or_set_batch"])
@pytest.mark.parametrize("is_typed", [False, True])
async def test_batch_calls_reject_endless_keys_and_a_single_string(
    server: FakeServer, name: str, is_typed: bool
) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")
        call: Any = getattr(cache.typed(TextCodec()) if is_typed else cache, name)
        more: list[Any] = [] if name == "get_batch" else [list[str]]  # A factory that returns its keys.
        with pytest.raises(CacheError, match="at most 1,000,000 items"):
            await call(repeat("k"), *more)
        with pytest.raises(TypeError, match="not a single str"):
            await call("key", *more)
        assert not server.received


def test_blocking_get_batch_rejects_endless_keys(blocking: sync.CacheClient) -> None:
    answer = blocking.cache("cache").results.get_batch(repeat("k"))
    assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
    with pytest.raises(CacheError, match="at most 1,000,000 items"):
        blocking.cache("cache").get_batch(repeat("k"))


async def test_get_batch_rejects_numbers_as_keys() -> None:
    numbers: Any = range(3)
    client = CacheClient(CredentialProvider.local(port=1), default_ttl=60)
    with pytest.raises(TypeError, match="not int"):
        await client.cache("cache").results.get_batch(numbers)
