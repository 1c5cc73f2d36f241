"""A time to live that depends on the loaded value (GOC-14)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from larder_cache import CacheError, GetOrSetOptions, Ttl, cached
from larder_cache import responses as r
from larder_cache.fake import FakeServer as Fake
from tests.conftest import client_of
from tests.leases.loads import BOTH, left_s, one_client, ready
from tests.support.fake_server import FakeServer


async def _nothing() -> bytes:
    return b""


def _by_length(made: Any) -> Ttl | None:
    return None if made else 5


@BOTH
async def test_goc_14_ttl_of_overrides_the_ttl_of_the_call(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, _):
        options = GetOrSetOptions(ttl_of=_by_length)
        assert await client.cache("cache").results.get_or_set("none", _nothing, ttl=50, options=options) == b""
        assert await client.cache("cache").results.get_or_set("some", ready(), ttl=50, options=options) == b"made 1"
        for key, seconds in (("none", 5), ("some", 50)):
            assert seconds - 2 < await left_s(client, key) <= seconds


async def test_goc_14_ttl_of_receives_the_factory_result() -> None:
    given: list[Any] = []

    def ttl_of(made: Any) -> Ttl:
        given.append(made)
        return timedelta(seconds=7)

    fake = Fake()
    async with fake.client() as client:
        await client.cache("cache").results.get_or_set("k", ready(), options=GetOrSetOptions(ttl_of=ttl_of))
        assert given == ["made 1"]
        assert await left_s(client, "k") == 7

        @cached(client.cache("cache"), key="user {}".format, options=GetOrSetOptions(ttl_of=ttl_of))
        async def user(number: int) -> dict[str, int]:
            return {"id": number}

        assert await user(7) == {"id": 7} and given[1:] == [{"id": 7}]
        assert await left_s(client, "user 7") == 7


@pytest.mark.parametrize(
    ("own", "error"),
    [(0, CacheError), (-1, CacheError), (366 * 86_400, CacheError), (float("nan"), CacheError)]
    + [("7", TypeError), (True, TypeError), (b"", TypeError), ([1], TypeError)],
)
async def test_goc_14_invalid_ttl_raises_stores_nothing_and_releases_the_lease(
    own: Any, error: type[Exception]
) -> None:
    fake = Fake()
    async with fake.client() as client:
        longest = GetOrSetOptions(lease=600, ttl_of=lambda _: own)
        with pytest.raises(error) as raised:
            await client.cache("cache").results.get_or_set("k", ready(), options=longest)
        assert not isinstance(raised.value, CacheError) or raised.value.code.value == "InvalidArgument"
        assert await client.cache("cache").results.get("k") == r.MISS
        assert fake.received["release_lease"] == 1
        assert (
            await client.cache("cache").results.get_or_set("k", ready(), options=GetOrSetOptions(lease=600))
            == b"made 1"
        )


async def test_goc_14_ttl_of_error_is_raised_to_the_caller() -> None:
    fake = Fake()

    def broken(_: Any) -> Ttl:
        raise KeyError("no time")

    async with fake.client() as client:
        with pytest.raises(KeyError, match="no time"):
            await client.cache("cache").results.get_or_set(
                "k", ready(), options=GetOrSetOptions(lease=600, ttl_of=broken)
            )
        assert await client.cache("cache").results.get("k") == r.MISS and fake.received["release_lease"] == 1


async def test_goc_14_short_ttl_limits_refresh_ahead_to_half_the_ttl() -> None:
    fake = Fake()
    async with fake.client() as client:
        options = GetOrSetOptions(refresh_ahead_for=10, ttl_of=lambda _: 4)
        await client.cache("cache").results.get_or_set("k", ready(), ttl=60, options=options)
        assert await left_s(client, "k") == 2


async def test_goc_14_ttl_of_applies_on_a_server_without_leases(server: FakeServer) -> None:
    async with client_of(server) as client:
        options = GetOrSetOptions(ttl_of=lambda _: 4, refresh_ahead_for=10)
        assert await client.cache("cache").results.get_or_set("k", ready(), ttl=60, options=options) == b"made 1"
        assert server.ttls == {b"k": 4_000}


def test_ttl_of_that_is_not_callable_raises_type_error() -> None:
    wrong: Any = 5
    with pytest.raises(TypeError, match="^get_or_set: ttl_of"):
        GetOrSetOptions(ttl_of=wrong)


def test_goc_14_blocking_client_supports_ttl_of() -> None:
    with Fake().sync_client() as client:
        client.cache("cache").results.get_or_set(
            "k", lambda: "made", options=GetOrSetOptions(ttl_of=lambda made: len(made))
        )
        assert client.cache("cache").results.item_get_ttl("k") == r.RemainingTtl(3_999)
