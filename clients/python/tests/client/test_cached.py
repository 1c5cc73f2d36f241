"""@cached with methods and blocking functions, invalid stored values, and results over the limits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any, cast

import pytest

from larder_cache import CredentialProvider, cached, sync
from protobuf_messages import pipeline_pb2 as pipe
from tests.client.repository import Repository
from tests.conftest import client_of
from tests.support.fake_server import FakeServer


async def test_cached_methods_keep_separate_results_for_each_instance(server: FakeServer) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")

        class Users(Repository):
            @cached(cache, ttl=30)
            async def load(self, number: int) -> str:
                self.calls.append(number)
                return f"{self.name} {number}"

            @classmethod
            @cached(cache, ttl=30)
            async def kind(cls, number: int = 1) -> str:
                return f"{cls.__name__} {number}"

            @staticmethod
            @cached(cache, ttl=30)
            async def plain(number: int) -> int:
                return number

        one, two = Users("one"), Users("two")
        assert [await one.load(7), await one.load(number=7), await two.load(7)] == ["one 7", "one 7", "two 7"]
        assert (one.calls, two.calls) == ([7], [7])
        await one.load.invalidate(7)
        assert await one.load(7) == "one 7" and await Users.load(one, 7) == "one 7"
        assert (one.calls, two.calls) == ([7, 7], [7])
        assert await cast(Any, Users).kind() == "Users 1" and await one.kind(2) == "Users 2" and await one.plain(3) == 3
        assert one.load.__name__ == "load"


async def test_a4_cached_replaces_values_that_cannot_be_decoded(server: FakeServer) -> None:
    async with client_of(server) as client:
        calls: list[int] = []

        @cached(client.cache("cache"), ttl=30, key=lambda: "k")
        async def load() -> int:
            calls.append(1)
            return 7

        for foreign in (b"", b"{", b"\xff", b"cos\nsystem\n(S'touch /tmp/larder-owned'\ntR."):
            server.items[b"k"] = foreign
            assert await load() == 7 and await load() == 7
        assert len(calls) == 4


async def test_cached_accepts_a_plain_function_on_an_asyncio_cache(server: FakeServer) -> None:
    async with client_of(server) as client:

        @cached(client.cache("cache"), ttl=30)
        def double(number: int) -> int:
            return 2 * number

        assert await double(2) == 4 and await double(2) == 4


@pytest.fixture
def blocking(server: FakeServer) -> Iterator[sync.CacheClient]:
    client = sync.CacheClient(CredentialProvider.local(port=server.port), default_ttl=60)
    yield client


async def test_cached_accepts_blocking_functions_and_methods_on_a_blocking_cache(
    server: FakeServer, blocking: sync.CacheClient
) -> None:
    cache = blocking.cache("cache")

    class Users(Repository):
        @cached(cache, ttl=30)
        def load(self, number: int, *, full: bool = False) -> dict[str, Any]:
            self.calls.append(number)
            return {"id": number, "full": full}

    def use() -> None:
        users = Users("one")
        assert users.load(7) == users.load(number=7, full=False) == {"id": 7, "full": False}
        users.load.invalidate(7)
        assert users.load(7, full=True) == {"id": 7, "full": True}
        assert users.calls == [7, 7]
        server.items.clear()
        assert users.load(7)["id"] == 7 and users.calls == [7, 7, 7]
        blocking.close()

    await asyncio.get_running_loop().run_in_executor(None, use)

    with pytest.raises(TypeError, match="larder_cache.CacheClient"):

        @cached(cache)
        async def impossible() -> int:  # pyright: ignore[reportUnusedFunction]
            return 1

    with pytest.raises(TypeError, match="client.cache"):
        cached(cast(Any, blocking.cache("cache").results))


async def test_cached_logs_unknown_cache_once_and_calls_the_function(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def missing(call: pipe.Operation) -> pipe.Result:
        return pipe.Result(id=call.id, status=pipe.CallStatus(code=5, message="there is no cache named cahce"))

    server.on_operation = missing
    async with client_of(server) as client:
        calls: list[int] = []

        @cached(client.cache("cahce"), ttl=30, key="load {}".format)
        async def load(number: int) -> int:
            calls.append(number)
            return number

        with caplog.at_level(logging.ERROR, "larder_cache"):
            assert [await load(n) for n in range(3)] == [0, 1, 2]
        said = [record.getMessage() for record in caplog.records if record.name == "larder_cache"]
        assert len(said) == 1 and "cahce" in said[0] and "NotFound" in said[0]


@pytest.mark.parametrize(
    "stored", [b"[" + b"[]," * 1_000_000 + b"0]", b"[" * 513 + b"]" * 513], ids=["elements", "levels"]
)
async def test_cached_treats_stored_json_over_the_limits_as_a_miss(server: FakeServer, stored: bytes) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")

        @cached(cache, ttl=30, key=lambda: "key")
        async def load() -> list[int]:
            return [1]

        await cache.set("key", stored)
        assert await load() == [1]
        assert await cache.get("key") == b"[1]"


async def test_cached_raises_type_error_for_result_over_the_limits(server: FakeServer) -> None:
    async with client_of(server) as client:

        @cached(client.cache("cache"), ttl=30)
        async def load() -> list[int]:
            return [0] * 1_000_000

        with pytest.raises(TypeError, match="1,000,000 elements"):
            await load()
