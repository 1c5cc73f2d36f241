"""Credentials, configurations and @cached functions can be pickled.

Pickling any other object raises an error that names the object.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from larder_cache import CacheClient, Configurations, CredentialProvider, cached, sync
from larder_cache.codecs import JsonCodec
from tests.conftest import client_of
from tests.support.fake_server import FakeServer

_CREDENTIALS = CredentialProvider.local(port=9)


def _asyncio() -> CacheClient:
    return CacheClient(_CREDENTIALS, default_ttl=60)


def _blocking() -> sync.CacheClient:
    return sync.CacheClient(_CREDENTIALS, default_ttl=60)


def _itself(client: Any) -> Any:
    return client


def _bound(client: Any) -> Any:
    return client.cache("cache").results


def _plain(client: Any) -> Any:
    return client.cache("cache")


def _typed(client: Any) -> Any:
    return client.cache("cache").typed(JsonCodec())


def _list(client: Any) -> Any:
    return [client]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("make", [_asyncio, _blocking])
@pytest.mark.parametrize(
    "of",
    [
        _itself,
        _bound,
        _plain,
        _typed,
        _list,
    ],
)
def test_pickling_a_client_or_handle_raises_type_error(
    make: Callable[[], Any], of: Callable[[Any], Any], protocol: int
) -> None:
    with pytest.raises(TypeError, match="cannot be pickled.*create a client in each process"):
        pickle.dumps(of(make()), protocol)


@pytest.mark.parametrize("make", [_asyncio, _blocking])
def test_copying_a_client_or_pickling_a_subscription_raises_type_error(make: Callable[[], Any]) -> None:
    client = make()
    for refused in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            refused(client)
    with pytest.raises(TypeError, match="Subscription cannot be pickled"):
        pickle.dumps(client.cache("cache").results.subscribe("topic"))


async def test_client_stays_usable_after_a_rejected_pickle(server: FakeServer) -> None:
    async with client_of(server) as client:
        await client.cache("cache").results.set("k", "v")
        with pytest.raises(TypeError, match="larder_cache.client.CacheClient cannot be pickled"):
            pickle.dumps(client)
        assert await client.cache("cache").get("k") == b"v"


def test_credentials_and_configurations_can_be_pickled() -> None:
    for each in (_CREDENTIALS, Configurations.Lambda.latest()):
        assert pickle.loads(pickle.dumps(each)) == each


@cached(_asyncio().cache("cache"))
async def load(number: int) -> int:
    return number


def _users_key(self: Any, number: int) -> str:
    return f"{self.name} {number}"


class Users:
    def __init__(self, name: str) -> None:
        self.name = name

    @cached(_blocking().cache("cache"), key=_users_key)
    def load(self, number: int) -> str:
        return f"{self.name} {number}"


def test_cached_functions_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(load)) is load and copy.deepcopy(load) is load
    method = pickle.loads(pickle.dumps(Users("one").load))
    assert method._bound[0].name == "one"
