"""@cached with methods and blocking functions. Its keys are unique, and it rejects invalid uses."""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest

from larder_cache import CredentialProvider, cached, sync
from larder_cache.cached import _word_of, _words  # pyright: ignore[reportPrivateUsage]
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import client_of
from tests.support.fake_server import FakeServer


class Repository:
    def __init__(self, name: str) -> None:
        self.name = name
        self.calls: list[int] = []


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


async def test_cached_method_key_can_use_fields_of_self(server: FakeServer) -> None:
    async with client_of(server) as client:
        calls: list[int] = []

        def key(self: Any, number: int) -> str:
            return f"{self.name}:{number}"

        @dataclass(frozen=True)
        class Tenant:
            name: str

            @cached(client.cache("cache"), ttl=30, key=key)
            async def load(self, number: int) -> str:
                calls.append(number)
                return self.name

        assert [await Tenant("a").load(1), await Tenant("a").load(1), await Tenant("b").load(1)] == ["a", "a", "b"]
        assert len(calls) == 2


_loads: list[Any] = []


async def _load_any(a: Any, b: Any = 5, *more: int, c: Any = None, **rest: Any) -> int:
    _loads.append((a, b, more, c, rest))
    return len(_loads)


async def test_cached_builds_one_key_for_equivalent_arguments(server: FakeServer) -> None:
    async with client_of(server) as client:
        _loads.clear()
        load = cached(client.cache("cache"), ttl=30)(_load_any)

        same = [load(1), load(a=1), load(1, b=5), load(1, 5), load(b=5, a=1, c=None)]
        assert [await call for call in same] == [1] * 5
        different = [load(2), load("1"), load(1, 6), load(1, 5, 7), load(1, c=5), load(1, d=5), load(True), load([1])]
        assert [await call for call in different] == list(range(2, 10))
        await load.invalidate(b=5, a=1)
        assert await load(1) == 10
        assert await load({"1": 1}) == 11
        with pytest.raises(TypeError, match="key="):
            await load({1: 1})
        with pytest.raises(TypeError, match="key="):
            await load(object())


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


async def test_get_or_set_skips_the_set_after_a_failed_get(server: FakeServer) -> None:
    async def fail(call: pipe.Operation) -> pipe.Result:
        return pipe.Result(id=call.id, status=pipe.CallStatus(code=13, message="no"))

    server.on_operation = fail
    async with client_of(server) as client:

        async def make() -> str:
            return "made"

        assert await client.cache("cache").get_or_set("k", make) == b"made"
    assert "set" not in server.received


async def test_get_or_set_returns_immutable_copies_of_a_factory_buffer(server: FakeServer) -> None:
    async with client_of(server) as client:
        buffer = bytearray(b"made")
        gate = asyncio.Event()

        async def make() -> Any:
            await gate.wait()
            return buffer

        calls = [asyncio.create_task(client.cache("cache").get_or_set("k", make)) for _ in range(2)]
        await asyncio.sleep(0)
        gate.set()
        got = await asyncio.gather(*calls)
        buffer[0] = 0
        assert got == [b"made"] * 2 and {type(each) for each in got} == {bytes}

        async def wrong() -> Any:
            return 7

        with pytest.raises(TypeError):
            await client.cache("cache").get_or_set("other", wrong)
        assert client.statistics().in_flight == 0


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


def _refuses(cache: Any, function: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why) as caught:
        cached(cache, ttl=30)(function)
    assert "key=" in str(caught.value)


class _Tenant:
    def __init__(self, name: str) -> None:
        self.name = name

    def load(self, number: int) -> str:
        return f"{self.name}:{number}"

    def __call__(self, number: int) -> str:
        return f"{self.name}:{number}"


async def test_cached_rejects_closures_lambdas_partials_and_bound_methods(server: FakeServer) -> None:
    def factory(tenant: str) -> Any:
        def load(user: int) -> str:
            return f"{tenant}:{user}"

        return load

    def undecorated(function: Any) -> Any:
        def wrapper(*args: Any) -> Any:
            return function(*args)

        return wrapper

    def local(first: bool) -> Any:
        if first:

            def load(number: int) -> int:
                return number

        else:

            def load(number: int) -> int:
                return number * 100

        return load

    async with client_of(server) as client:
        cache = client.cache("cache")
        _refuses(cache, factory("a"), "captures tenant")
        _refuses(cache, undecorated(_load_any), "captures function")
        _refuses(cache, functools.wraps(factory)(factory("a")), "captures tenant")
        _refuses(cache, lambda number: number, "lambda")  # pyright: ignore[reportUnknownLambdaType]
        _refuses(cache, functools.partial(_load_any, b=1), "partial has no")
        _refuses(cache, _Tenant("a"), "_Tenant has no")
        _refuses(cache, _Tenant("a").load, "bound to an instance")
        _refuses(cache, cast(Any, {}).get, "bound to an instance")
        # A local function that captures nothing is identified by its name. A second, different function with that name
        # is rejected.
        assert await cached(cache, ttl=30)(local(True))(5) == 5
        assert await cached(cache, ttl=30)(local(True))(5) == 5
        _refuses(cache, local(False), "another function")


async def test_cached_with_key_accepts_functions_of_the_same_name(server: FakeServer) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")

        def load_of(tenant: str) -> Any:
            def key(number: int) -> str:
                return f"{tenant} {number}"

            @cached(cache, ttl=30, key=key)
            async def load(number: int) -> str:
                return f"{tenant}:{number}"

            return load

        a, b = load_of("a"), load_of("b")
        assert [await a(1), await b(1), await a(1), await b(1)] == ["a:1", "b:1"] * 2
        made = [cached(cache, ttl=30, key=f"{name} {{}}".format)(_Tenant(name)) for name in ("c", "d")]
        assert [await each(1) for each in made] == ["c:1", "d:1"]


class _Equal:
    """A class whose instances are all equal and not hashable."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return True

    @classmethod
    def kind(cls) -> str:
        return cast(Any, cls).word


async def test_cached_separates_equal_instances_and_classes_of_the_same_name(server: FakeServer) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")

        class Loads(_Equal):
            @cached(cache, ttl=30)
            async def load(self) -> str:
                return self.name

            @classmethod
            @cached(cache, ttl=30)
            async def word_of(cls) -> str:
                return cls.kind()

        def named(word: str) -> Any:
            return type("Same", (Loads,), {"word": word})

        one, two, first, second = Loads("one"), Loads("two"), named("first"), named("second")
        assert [await one.load(), await two.load(), await one.load()] == ["one", "two", "one"]
        assert [await first.word_of(), await second.word_of(), await first.word_of()] == ["first", "second", "first"]

        class NoWeakReferences:
            __slots__ = ()

            @cached(cache, ttl=30)
            async def load(self) -> str:
                return "x"

        with pytest.raises(TypeError, match="key="):
            await NoWeakReferences().load()


async def test_cached_releases_the_id_of_a_garbage_collected_instance(server: FakeServer) -> None:
    async with client_of(server) as client:

        class Users(Repository):
            @cached(client.cache("cache"), ttl=30)
            async def load(self) -> str:
                return self.name

        before = len(_words)
        assert [await Users(str(n)).load() for n in range(100)] == [str(n) for n in range(100)]
        gc.collect()
        assert len(_words) <= before


def test_cached_new_instance_ignores_the_entry_of_a_reused_id() -> None:
    # If a signal handler raises inside the callback of a weak reference, the entry of the dead object is not removed
    # from _words. A new object may have the same id.
    dead, alive = _Equal("dead"), _Equal("alive")
    _words[id(alive)] = weakref.ref(dead), "left"
    del dead
    word = _word_of(alive)
    assert word != "left" and _word_of(alive) == word
