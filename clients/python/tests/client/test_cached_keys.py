"""The keys of @cached are unique, and it rejects functions for which it cannot build a unique key."""

from __future__ import annotations

import functools
import gc
import weakref
from dataclasses import dataclass
from typing import Any, cast

import pytest

from larder_cache import cached
from larder_cache.cached import _word_of, _words  # pyright: ignore[reportPrivateUsage]
from tests.client.repository import Repository
from tests.conftest import client_of
from tests.support.fake_server import FakeServer


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
