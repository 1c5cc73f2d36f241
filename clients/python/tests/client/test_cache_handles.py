"""Handles on one cache: bound calls answer as the client's own, plain ones return values and raise."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

from larder_cache import BoundCache, CacheClient, CacheError, CredentialProvider, ErrorCode, PlainCache
from larder_cache import responses as r
from larder_cache import sync
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import client_of
from tests.support.fake_server import FakeServer

# Calls that are about no one cache's items.
_OF_THE_SERVER = {"create_cache", "delete_cache", "list_caches", "ping", "connect", "aclose", "close"}


def _calls(of: type[Any]) -> dict[str, list[str]]:
    """Each public method's parameters, without the cache's name."""
    found = inspect.getmembers(of, inspect.isfunction)
    names = {"flush": "flush_cache"}
    return {
        names.get(name, name): [each for each in inspect.signature(call).parameters if each != "cache"]
        for name, call in found
        if not name.startswith("_") and name not in _OF_THE_SERVER
    }


@pytest.mark.parametrize(("client", "bound"), [(CacheClient, BoundCache), (sync.CacheClient, sync.BoundCache)])
def test_a_bound_cache_has_each_call_of_the_client_with_the_same_arguments(client: Any, bound: Any) -> None:
    handles = {"cache", "plain", "typed", "statistics", "held"}
    expected = {name: given for name, given in _calls(client).items() if name not in handles}
    assert _calls(bound) == expected and len(expected) == 90


@pytest.mark.parametrize("face", ["CacheClient", "BoundCache", "PlainCache", "TypedCache"])
def test_each_blocking_face_has_the_calls_of_its_twin(face: str) -> None:
    import larder_cache

    asynchronous, blocking = _calls(getattr(larder_cache, face)), _calls(getattr(sync, face))
    assert asynchronous == blocking


def test_the_names_of_a_plain_cache_are_pythons() -> None:
    names = (
        "get set add delete exists incr decr touch ttl get_many set_many delete_many get_or_set get_or_set_many clear"
    )
    assert set(_calls(PlainCache)) == set(names.split())


async def _missing(call: pipe.Operation) -> pipe.Result:
    return pipe.Result(id=call.id, status=pipe.CallStatus(code=5, message="there is no such cache"))


async def test_a_bound_cache_answers_and_a_plain_one_raises(server: FakeServer) -> None:
    async with client_of(server) as client:
        bound, plain = client.cache("cache"), client.plain("cache")
        assert isinstance(await bound.set("k", "v"), r.Success)
        assert await bound.get("k") == r.Hit(b"v") and await plain.get("k") == b"v"
        assert isinstance(await bound.get("absent"), r.Miss)
        assert await plain.get("absent") is None and await plain.get("absent", 5) == 5
        assert await bound.increment("n", 2) == r.Incremented(2) and await plain.incr("n") == 3
        for refused in (await bound.get(""), await client.cache(" ").get("k"), await bound.get("k", timeout_s=0)):
            assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
        with pytest.raises(CacheError):
            await plain.get("")
        server.on_operation = _missing
        for answer in (await bound.get("k"), await bound.set("k", "v"), *await bound.delete_each(["k"])):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.NOT_FOUND
        for call in (plain.get("k"), plain.set("k", "v"), plain.delete_many(["k"]), plain.incr("n")):
            with pytest.raises(CacheError) as raised:
                await call
            assert raised.value.code is ErrorCode.NOT_FOUND

        async def make() -> str:
            return "made"

        assert [await face.get_or_set("k", make) for face in (bound, plain)] == [b"made"] * 2
        assert await client.get_or_set("cache", "k", make) == b"made"


async def test_the_blocking_handles_do_the_same(server: FakeServer) -> None:
    def use() -> None:
        with sync.CacheClient(CredentialProvider.local(port=server.port), default_ttl=60) as client:
            bound, plain = client.cache("cache"), client.plain("cache")
            assert isinstance(bound.set("k", "v"), r.Success)
            assert bound.get("k") == r.Hit(b"v") and plain.get("k") == b"v" and plain.get("absent") is None
            server.on_operation = _missing
            answer = bound.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.NOT_FOUND
            with pytest.raises(CacheError):
                plain.get("k")
            for face in (bound, plain):
                assert face.get_or_set("k", lambda: "made") == b"made"
            assert client.get_or_set("cache", "k", lambda: "made") == b"made"

    await asyncio.get_running_loop().run_in_executor(None, use)
