"""Factories that receive a context (GOC-17 to GOC-22): with the real server and the fake."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from larder_cache import CacheError, FactoryContext, GetOrSetOptions, Key
from larder_cache import responses as r
from larder_cache._internal.operations._generated import operations as op
from larder_cache.codecs import JsonCodec
from larder_cache.fake import FakeServer as Fake
from protobuf_messages import extras_pb2 as pb
from tests.conftest import PATIENCE_S, client_of
from tests.leases import blocking_loads
from tests.leases.loads import BOTH, expired, left_s, one_client, ready, stale
from tests.support.fake_server import FakeServer

KEPT = GetOrSetOptions(fail_safe_for=3_600, lease=600)
AHEAD = GetOrSetOptions(refresh_ahead_for=100, lease=600)

Context = FactoryContext[bytes]


def returns(value: str, **settings: Any) -> Any:
    """Return a factory that changes its context and returns a value."""

    async def factory(context: FactoryContext[Any]) -> str:
        for name, setting in settings.items():
            setattr(context, name, setting)
        return value

    return factory


async def fails() -> bytes:
    raise ValueError("no")


@BOTH
async def test_goc_17_missing_value_gives_a_context_without_stale_value(kind: str, real_port: int) -> None:
    contexts: list[Context] = []

    async def factory(context: Context) -> str:
        contexts.append(context)
        return "v"

    async with one_client(kind, real_port) as (client, _):
        assert await client.cache("cache").get_or_set_with_context("k", factory) == b"v"
        assert await client.cache("cache").get("k") == b"v"
    (context,) = contexts
    assert not context.has_stale
    with pytest.raises(RuntimeError, match="has_stale"):
        _ = context.stale_value


@BOTH
async def test_goc_17_context_contains_the_stale_value(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, fake):
        await stale(client, fake, KEPT)

        async def factory(context: Context) -> bytes:
            assert context.has_stale
            return context.stale_value + b"!"

        # These options do not permit returning the stale value.
        strict = GetOrSetOptions(lease=600)
        assert await client.cache("cache").get_or_set_with_context("k", factory, options=strict) == b"old!"


async def test_goc_17_background_refresh_receives_the_value_that_it_replaces() -> None:
    fake = Fake()
    async with fake.client() as client:
        cache = client.cache("cache")

        async def factory(context: Context) -> bytes:
            return context.stale_value + b"!"

        assert await cache.get_or_set_with_context("k", returns("old"), ttl=300, options=AHEAD) == b"old"
        fake.advance(201)
        assert await cache.get_or_set_with_context("k", factory, ttl=300, options=AHEAD) == b"old"
        while await cache.get("k") != b"old!":
            await asyncio.sleep(0.01)


async def test_goc_17_typed_context_contains_a_decoded_copy_of_the_stale_value() -> None:
    fake = Fake()
    async with fake.client() as client:
        lists = client.cache("cache").typed(JsonCodec())
        await lists.get_or_set_with_context("k", returns_list([1]), ttl=1, options=KEPT)
        fake.advance(2)

        async def changes_and_fails(context: FactoryContext[Any]) -> Any:
            context.stale_value.append(2)
            raise ValueError("no")

        assert await lists.get_or_set_with_context("k", changes_and_fails, options=KEPT) == [1]

        async def extends(context: FactoryContext[Any]) -> Any:
            return [*context.stale_value, 3]

        assert await lists.get_or_set_with_context("k", extends, options=KEPT) == [1, 3]
        assert await lists.results.get_or_set_with_context("k", changes_and_fails) == [1, 3]


def returns_list(value: list[int]) -> Any:
    async def factory(_: FactoryContext[Any]) -> list[int]:
        return value

    return factory


@BOTH
async def test_goc_18_ttl_of_the_context_overrides_ttl_of_and_the_call(kind: str, real_port: int) -> None:
    options = GetOrSetOptions(ttl_of=lambda _: 5_000)
    async with one_client(kind, real_port) as (client, _):
        await client.cache("cache").get_or_set_with_context("k", returns("v", ttl=700), ttl=50, options=options)
        assert 698 < await left_s(client, "k") <= 700


@pytest.mark.parametrize(
    ("ttl", "error"), [(0, CacheError), (366 * 86_400, CacheError), ("7", TypeError), (True, TypeError)]
)
async def test_goc_18_invalid_ttl_acts_as_a_factory_exception(ttl: Any, error: type[Exception]) -> None:
    fake = Fake()
    async with fake.client() as client:
        cache = client.cache("cache")
        with pytest.raises(error):
            await cache.get_or_set_with_context("k", returns("v", ttl=ttl), options=KEPT)
        assert fake.received["release_lease"] == 1
        assert await cache.get("k") is None
        await stale(client, fake, KEPT)
        assert await cache.get_or_set_with_context("k", returns("v", ttl=ttl), options=KEPT) == b"old"


@BOTH
async def test_goc_19_tags_of_the_context_are_added_to_those_of_the_call(kind: str, real_port: int) -> None:
    options = GetOrSetOptions(tags=["call"])
    async with one_client(kind, real_port) as (client, _):
        cache = client.cache("cache")
        for tag in ("call", "result"):
            await cache.get_or_set_with_context("k", returns("v", tags=["result"]), options=options)
            assert await cache.get("k") == b"v"
            await cache.remove_by_tag([tag])
            assert await cache.get("k") is None


@BOTH
async def test_goc_19_tag_invalidated_during_the_load_makes_the_value_a_miss(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, _):
        cache = client.cache("cache")

        async def factory(context: Context) -> str:
            await cache.remove_by_tag(["result"])
            context.tags = ["result"]
            return "read before"

        assert await cache.get_or_set_with_context("k", factory) == b"read before"
        assert await cache.get("k") is None


@pytest.mark.parametrize(
    ("tags", "error"), [([""], CacheError), (["t"] * 128, CacheError), ("text", TypeError), ([7], TypeError)]
)
async def test_goc_19_invalid_tags_act_as_a_factory_exception(tags: Iterable[Key], error: type[Exception]) -> None:
    fake = Fake()
    options = GetOrSetOptions(lease=600, tags=["call"])
    async with fake.client() as client:
        cache = client.cache("cache")
        with pytest.raises(error):
            await cache.get_or_set_with_context("k", returns("v", tags=tags), options=options)
        assert fake.received["release_lease"] == 1
        assert await cache.get_or_set_with_context("k", returns("v", tags=["t"] * 127), options=options) == b"v"
        assert await cache.get("k") == b"v"


@BOTH
async def test_goc_20_unstored_value_is_returned_and_its_lease_is_released(kind: str, real_port: int) -> None:
    go_on, runs = asyncio.Event(), 0

    async def factory(context: Context) -> str:
        nonlocal runs
        runs += 1
        await go_on.wait()
        context.do_not_store = True
        return "unstored"

    async with one_client(kind, real_port) as (client, _):
        cache = client.cache("cache")
        callers = [asyncio.create_task(cache.get_or_set_with_context("k", factory, options=KEPT)) for _ in range(3)]
        while not runs:
            await asyncio.sleep(0.01)
        go_on.set()
        assert set(await asyncio.gather(*callers)) == {b"unstored"} and runs == 1
        assert await cache.get("k") is None
        assert await asyncio.wait_for(cache.get_or_set("k", ready(), options=KEPT), PATIENCE_S) == b"made 1"


@BOTH
async def test_goc_20_stale_value_remains_after_an_unstored_value(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, fake):
        cache = client.cache("cache")
        await stale(client, fake, KEPT)
        assert await cache.get_or_set_with_context("k", returns("v", do_not_store=True), options=KEPT) == b"v"
        assert await cache.get_or_set("k", fails, options=KEPT) == b"old"


@BOTH
async def test_goc_21_unmodified_value_is_stored_again_with_a_new_ttl(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, fake):
        cache = client.cache("cache")
        await stale(client, fake, KEPT)

        async def factory(context: Context) -> str:
            assert context.not_modified() == b"old" and context.is_not_modified
            context.tags = ["again"]
            return "ignored"

        assert await cache.get_or_set_with_context("k", factory, ttl=700, options=KEPT) == b"old"
        assert await cache.get("k") == b"old" and 698 < await left_s(client, "k") <= 700
        await cache.remove_by_tag(["again"])
        assert await cache.get("k") is None


async def test_goc_21_unmodified_typed_value_is_not_encoded_again() -> None:
    fake, given = Fake(), list[Any]()

    async def factory(context: FactoryContext[Any]) -> Any:
        context.stale_value.append(2)
        return context.not_modified()

    def ttl_of(value: Any) -> int:
        given.append(value)
        return 70

    options = GetOrSetOptions(fail_safe_for=3_600, ttl_of=ttl_of)
    async with fake.client() as client:
        lists = client.cache("cache").typed(JsonCodec())
        await lists.get_or_set_with_context("k", returns_list([1]), ttl=1, options=KEPT)
        fake.advance(2)
        assert await lists.get_or_set_with_context("k", factory, options=options) == [1]
        assert await lists.get("k") == [1] and len(given) == 1


@BOTH
async def test_goc_21_not_modified_without_stale_value_raises(kind: str, real_port: int) -> None:
    async def factory(context: Context) -> bytes:
        return context.not_modified()

    async with one_client(kind, real_port) as (client, _):
        cache = client.cache("cache")
        with pytest.raises(RuntimeError, match="no stale value"):
            await cache.get_or_set_with_context("k", factory, options=KEPT)
        assert await cache.get("k") is None
        assert await asyncio.wait_for(cache.get_or_set("k", ready(), options=KEPT), PATIENCE_S) == b"made 1"


@BOTH
async def test_goc_22_etag_is_stored_and_kept_by_an_unmodified_value(kind: str, real_port: int) -> None:
    seen: list[str | None] = []
    longest = "e" * 1_024
    loads = [('"v1"', True), (None, False), ('"v2" ☃', False), (longest, True)]
    loads += [("", True), ('"v3"', True), (None, True), (None, True)]
    async with one_client(kind, real_port) as (client, fake):
        for etag, is_new in loads:

            async def factory(context: Context, etag: str | None = etag, is_new: bool = is_new) -> bytes:
                seen.append(context.stale_etag)
                context.etag = etag
                return b"v" if is_new else context.not_modified()

            await client.cache("cache").get_or_set_with_context("k", factory, ttl=0.05, options=KEPT)
            if fake is not None:
                fake.advance(1)
            await expired(client, "k")
    assert seen == [None, '"v1"', '"v1"', '"v2" ☃', longest, None, '"v3"', None]


@pytest.mark.parametrize(
    ("etag", "error"),
    [("e" * 1_025, CacheError), ("e" * 10_240, CacheError), ("☃" * 342, CacheError), ("\ud800", CacheError)]
    + [(7, TypeError), (b"v1", TypeError)],
)
async def test_goc_22_invalid_etag_acts_as_a_factory_exception(etag: Any, error: type[Exception]) -> None:
    fake = Fake()
    async with fake.client() as client:
        cache = client.cache("cache")
        with pytest.raises(error):
            await cache.get_or_set_with_context("k", returns("v", etag=etag), options=KEPT)
        assert fake.received["release_lease"] == 1 and await cache.get("k") is None


async def test_stale_5_fake_server_rejects_a_validator_over_its_limit() -> None:
    fake = Fake()
    async with fake.client() as client:
        for length, stored in ((1_024, True), (1_025, False), (10_240, False)):
            request = pb.SetWithLeaseRequest(key=b"k", value=b"v", ttl_ms=1, stale_ms=1, validator=bytes(length))
            calls = client.cache("cache").results.calls
            answer = await calls.run(op.SET_WITH_LEASE, "cache", request.SerializeToString(), None)
            assert isinstance(answer, r.Stored if stored else r.Error)


async def test_context_works_if_the_server_supports_no_leases(server: FakeServer) -> None:
    async with client_of(server) as client:
        cache = client.cache("cache")
        for settings in ({"do_not_store": True}, {"tags": ["t"]}):
            assert await cache.get_or_set_with_context("k", returns("v", **settings)) == b"v"
            assert server.items == {}
        assert await cache.get_or_set_with_context("k", returns("v", ttl=7)) == b"v"
        assert server.items == {b"k": b"v"} and server.ttls == {b"k": 7_000}


@BOTH
@pytest.mark.parametrize("limits", [{}, {"hard_timeout": 600}, {"soft_timeout": 600}])
def test_blocking_factory_receives_a_context(kind: str, limits: dict[str, Any], real_port: int) -> None:
    options = GetOrSetOptions(fail_safe_for=3_600, lease=600, **limits)
    with blocking_loads.one_client(kind, real_port) as (cache, fake):
        blocking_loads.stale(cache, fake, "k", options=options)

        def fails_after_change(context: Context) -> bytes:
            context.do_not_store = True
            raise ValueError("no")

        assert cache.get_or_set_with_context("k", fails_after_change, options=options) == b"old"

        def unstored(context: Context) -> bytes:
            context.do_not_store = True
            return context.stale_value + b"!"

        assert cache.get_or_set_with_context("k", unstored, options=options) == b"old!"
        assert cache.get("k") is None
        assert cache.get_or_set_with_context("k", lambda context: context.not_modified(), options=options) == b"old"
        assert cache.get("k") == b"old"
        lists = cache.typed(JsonCodec())
        assert lists.get_or_set_with_context("list", lambda context: [context.has_stale]) == [False]
