"""Handles of one cache: calls that return values, calls that return responses, and the blocking versions."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

import larder_cache
from larder_cache import Cache, CacheClient, CacheError, CacheResults, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from larder_cache.codecs import TextCodec
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import client_of
from tests.support.fake_server import FakeServer

# The methods of CacheClient that the handles of a cache do not have.
_ADMINISTRATION = {"create_cache", "delete_cache", "flush_cache", "list_caches", "ping"}


def _calls(of: type[Any]) -> dict[str, list[str]]:
    """Return the parameters of each public method."""
    found = inspect.getmembers(of, inspect.isfunction)
    return {name: list(inspect.signature(call).parameters) for name, call in found if not name.startswith("_")}


def test_cache_and_cache_results_have_the_same_calls_and_parameters() -> None:
    plain, results = _calls(Cache), _calls(CacheResults)
    assert plain.pop("typed") and plain.pop("get") == [*results.pop("get"), "default"]
    assert plain == results and len(plain) == 90


def test_client_has_administration_calls_but_no_data_calls() -> None:
    others = {"aclose", "cache", "connect", "held", "statistics"}
    assert set(_calls(CacheClient)) == _ADMINISTRATION | others
    assert not set(_calls(CacheClient)) & set(_calls(Cache))


@pytest.mark.parametrize("face", ["CacheClient", "Cache", "CacheResults", "TypedCache", "TypedResults"])
def test_each_blocking_class_has_the_methods_of_its_asyncio_class(face: str) -> None:
    asynchronous, blocking = _calls(getattr(larder_cache, face)), _calls(getattr(sync, face))
    ends = {"aclose", "close"}
    assert {name: each for name, each in asynchronous.items() if name not in ends} == {
        name: each for name, each in blocking.items() if name not in ends
    }


async def _missing(call: pipe.Operation) -> pipe.Result:
    return pipe.Result(id=call.id, status=pipe.CallStatus(code=5, message="there is no such cache"))


async def test_cache_results_returns_errors_that_cache_calls_raise(server: FakeServer) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")
        results = cache.results
        await cache.set("k", "v")
        assert await results.get("k") == r.Hit(b"v") and await cache.get("k") == b"v"
        assert isinstance(await results.get("absent"), r.Miss)
        assert await cache.get("absent") is None and await cache.get("absent", 5) == 5
        assert await results.increment("n", 2) == r.Incremented(2) and await cache.increment("n") == 3
        refused = await results.get("")
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
        with pytest.raises(CacheError):
            await cache.get("")
        server.on_operation = _missing
        for answer in (await results.get("k"), await results.set("k", "v"), *await results.delete_each(["k"])):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.NOT_FOUND
        for call in (cache.get("k"), cache.set("k", "v"), cache.delete_each(["k"]), cache.increment("n")):
            with pytest.raises(CacheError) as raised:
                await call
            assert raised.value.code is ErrorCode.NOT_FOUND

        async def make() -> str:
            return "made"

        assert [await face.get_or_set("k", make) for face in (cache, results)] == [b"made"] * 2


async def test_blocking_handles_return_same_values_and_errors_as_asyncio_handles(server: FakeServer) -> None:
    def use() -> None:
        with sync.CacheClient(CredentialProvider.local(port=server.port), default_ttl=60) as client:
            cache = client.cache("cache")
            assert cache.results.set("k", "v") == r.SUCCESS and cache.results.get("k") == r.Hit(b"v")
            assert cache.get("k") == b"v" and cache.get("absent") is None and cache.get("absent", 5) == 5
            assert cache.with_timeout(20).get("k") == b"v" and cache.name == "cache"
            server.on_operation = _missing
            answer = cache.results.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.NOT_FOUND
            with pytest.raises(CacheError):
                cache.get("k")
            for face in (cache, cache.results):
                assert face.get_or_set("k", lambda: "made") == b"made"

    await asyncio.get_running_loop().run_in_executor(None, use)


def _invalid(answer: Any, text: str) -> bool:
    return isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT and text in answer.message


async def test_invalid_cache_name_fails_each_call(server: FakeServer) -> None:
    async def load(*_: object) -> Any:
        raise AssertionError("not called")

    async with client_of(server) as client:
        for name in (" ", "x" * 257, "\ud800"):
            cache = client.cache(name)
            results = cache.results
            assert cache.name == results.name == name
            for answer in (
                await results.get("k"),
                await results.set("k", "v"),
                await results.get_batch(["k"]),
                await results.publish("t", "v"),
                await results.set_fetch("s"),
                *await results.delete_each(["k", "l"]),
            ):
                assert _invalid(answer, "cache")
            [event] = [event async for event in cache.subscribe("t")]
            assert _invalid(event, "cache") and cache.try_get_near("k") is None
            for call in (cache.get("k"), cache.get_or_set("k", load), cache.get_or_set_batch(["k"], load)):
                with pytest.raises(CacheError, match="InvalidArgument"):
                    await call
        wrong: Any
        for wrong in (None, b"cache", 7):
            with pytest.raises(TypeError, match="the cache name must be str"):
                client.cache(wrong)
        assert not server.received


async def test_invalid_timeout_fails_each_call(server: FakeServer) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")
        for seconds in (0, -1, 3_600.1, 10**5_000, float("nan"), float("inf")):
            timed = cache.with_timeout(seconds)
            assert _invalid(await timed.results.get("k"), "timeout_s must be above 0 and at most 3,600 seconds")
            large = [letter * 6_000_000 for letter in "kl"]
            assert _invalid(await timed.results.get_batch(large), "timeout_s")
            with pytest.raises(CacheError, match="InvalidArgument"):
                await timed.set("k", "v")
        wrong: Any
        assert await cache.with_timeout(3_600).with_timeout(None).get("k") is None
        assert server.received == {"get": 1}
        for wrong in ("1", [], True):
            with pytest.raises(TypeError, match="timeout_s must be a number of seconds"):
                cache.with_timeout(wrong)


async def _silent(_: pipe.Operation) -> pipe.Result | None:
    return None


async def test_with_timeout_applies_only_to_calls_of_its_handle(server: FakeServer) -> None:
    async def make() -> str:
        return "made"

    async with client_of(server) as client:
        cache = client.cache("cache")
        await cache.set("k", "v")
        server.on_operation = _silent
        hasty = cache.with_timeout(0.02)
        for call in (hasty.get("k"), hasty.get_batch(["k"]), hasty.delete_each(["k"]), hasty.set_fetch("s")):
            with pytest.raises(CacheError, match="Timeout"):
                await call
        assert await hasty.get_or_set("k", make) == b"made"
        with pytest.raises(CacheError, match="Timeout"):
            await hasty.typed(TextCodec()).get("k")
        waiting = asyncio.create_task(cache.get("k"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
