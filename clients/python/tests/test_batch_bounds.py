"""A batch's items have a bound: an iterable that never ends is refused, and hangs nobody."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, repeat
from typing import Any

import pytest

from larder_cache import CacheClient, CacheError, Configuration, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from tests.conftest import client_of
from tests.fake_server import FakeServer


@pytest.fixture
def blocking() -> Iterator[sync.CacheClient]:
    with sync.CacheClient(CredentialProvider.local(port=1), default_ttl=60) as client:
        yield client


@pytest.mark.parametrize("name", ["get_batch", "keys_exist", "delete_each", "set_batch"])
async def test_endless_items_are_an_invalid_argument(
    server: FakeServer, configuration: Configuration, name: str
) -> None:
    endless: Any = repeat(("k", "v") if name == "set_batch" else "k")
    async with client_of(server, configuration) as client:
        answer: Any = await getattr(client, name)("cache", endless)
        refused = answer[0] if name == "delete_each" else answer
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
        assert "at most 1,000,000 items" in refused.message
        assert not any(client.held().values())


async def test_endless_keys_of_a_handle_raise(server: FakeServer) -> None:
    async with client_of(server) as client:
        for call in (client.cache("cache").get_many, client.cache("cache").delete_many):
            with pytest.raises(CacheError, match="at most 1,000,000 items"):
                await call(repeat("k"))


def test_endless_keys_of_the_blocking_client_are_refused_too(blocking: sync.CacheClient) -> None:
    answer = blocking.get_batch("cache", repeat("k"))
    assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
    with pytest.raises(CacheError, match="at most 1,000,000 items"):
        blocking.cache("cache").get_many(repeat("k"))


async def test_endless_numbers_are_no_keys() -> None:
    numbers: Any = count()
    client = CacheClient(CredentialProvider.local(port=1), default_ttl=60)
    with pytest.raises(TypeError, match="not int"):
        await client.get_batch("cache", numbers)
