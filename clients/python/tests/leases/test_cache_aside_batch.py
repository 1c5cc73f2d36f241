"""get_or_set_batch: one read, one load of the missing keys, one write (GOC-15)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from larder_cache import CacheClient, CacheError, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache.fake import FakeServer as Fake
from tests.conftest import PATIENCE_S
from tests.support.larder_server import larder_server

_NO_VALUES: list[tuple[Any, type[Exception]]] = [
    *(([], ValueError), (["1"], ValueError), (["1", "2", "3"], ValueError)),
    *(("12", TypeError), (b"12", TypeError), (None, TypeError), ({"a": 1, "b": 2}, TypeError), (iter("12"), TypeError)),
    *((["1", 2], TypeError), (["1", None], TypeError), (["1", "\ud800"], CacheError), ([["1"], "2"], TypeError)),
]


class Loader:
    """A factory that records its arguments."""

    def __init__(self) -> None:
        self.asked: list[list[Any]] = []

    def __call__(self, keys: list[Any]) -> list[str]:
        self.asked.append(keys)
        return [f"made of {key if isinstance(key, str) else key.decode()}" for key in keys]

    async def later(self, keys: list[Any]) -> list[str]:
        await asyncio.sleep(0)
        return self(keys)


async def test_goc_15_missing_keys_are_loaded_and_stored_in_one_call() -> None:
    fake, load = Fake(), Loader()
    async with fake.client() as client:
        await client.cache("cache").results.set("b", "there")
        keys = ["a", "b", "c", "a", "d", "c"]
        values = await client.cache("cache").results.get_or_set_batch(keys, load.later, ttl=7)
        assert values == [b"made of a", b"there", b"made of c", b"made of a", b"made of d", b"made of c"]
        assert load.asked == [["a", "c", "d"]]
        assert fake.received == {"set": 1, "get_batch": 1, "set_batch": 1}
        assert await client.cache("cache").results.item_get_ttl("d") == r.RemainingTtl(6_999)
        assert await client.cache("cache").results.get_or_set_batch(keys, load.later) == values and len(load.asked) == 1
        assert fake.received["set_batch"] == 1


async def test_goc_15_batch_factory_receives_the_missing_keys_unchanged() -> None:
    fake, load = Fake(), Loader()
    async with fake.client() as client:
        plain, bound = client.cache("cache"), client.cache("cache").results
        assert await plain.get_or_set_batch((key for key in (b"a", b"b")), load.later) == {
            b"a": b"made of a",
            b"b": b"made of b",
        }
        assert await bound.get_or_set_batch(["b", "c"], load.later) == [b"made of b", b"made of c"]
        assert load.asked == [[b"a", b"b"], ["c"]]
        assert await plain.get_or_set_batch(["b", "b"], load.later) == {"b": b"made of b"}


def test_goc_15_blocking_get_or_set_batch_loads_missing_keys() -> None:
    fake, load = Fake(), Loader()
    with fake.sync_client() as client:
        assert client.cache("cache").get_or_set_batch(["a", "b"], load, ttl=5) == {"a": b"made of a", "b": b"made of b"}
        assert client.cache("cache").results.get_or_set_batch(["b", "c"], load) == [b"made of b", b"made of c"]
        assert client.cache("cache").results.get_or_set_batch(["d"], load) == [b"made of d"]
        assert load.asked == [["a", "b"], ["c"], ["d"]]


async def test_goc_15_empty_key_list_makes_no_call() -> None:
    fake, load = Fake(), Loader()
    async with fake.client() as client:
        assert await client.cache("cache").results.get_or_set_batch([], load.later) == []
        assert await client.cache("cache").get_or_set_batch([], load.later) == {}
    assert not fake.received and not load.asked


@pytest.mark.parametrize(
    ("made", "error"),
    _NO_VALUES,
)
async def test_goc_15_invalid_factory_result_raises_and_stores_nothing(made: Any, error: type[Exception]) -> None:
    fake = Fake()

    async def load(_: Sequence[str]) -> Any:
        return made

    async with fake.client() as client:
        with pytest.raises(error):
            await client.cache("cache").results.get_or_set_batch(["a", "b"], load)
    assert fake.received == {"get_batch": 1}


async def test_goc_15_factory_error_is_raised_to_the_caller() -> None:
    async def broken(_: Sequence[str]) -> list[str]:
        raise KeyError("no such row")

    fake = Fake()
    async with fake.client() as client:
        with pytest.raises(KeyError, match="no such row"):
            await client.cache("cache").results.get_or_set_batch(["a"], broken)
    assert fake.received == {"get_batch": 1}


async def test_goc_15_failed_read_loads_values_without_storing_them(caplog: pytest.LogCaptureFixture) -> None:
    fake, load = Fake(), Loader()
    async with fake.client() as client:
        fake.fail(ErrorCode.UNAVAILABLE, operation="get_batch")
        assert await client.cache("cache").results.get_or_set_batch(["a", "b"], load.later) == [
            b"made of a",
            b"made of b",
        ]
        assert fake.received == {"get_batch": 1} and load.asked == [["a", "b"]]
        with caplog.at_level(logging.ERROR, "larder_cache"):
            assert await client.cache("absent").results.get_or_set_batch(["a"], load.later) == [b"made of a"]
        assert caplog.text.count("'absent' is not usable (NotFound: ") == 1


async def test_goc_15_failed_part_stores_nothing_and_other_parts_are_stored() -> None:
    fake, load = Fake(), Loader()
    async with fake.client() as client:
        # The batch is sent in two parts, and the first part fails.
        keys = [letter * 4_000_000 for letter in "abcd"]
        fake.fail(ErrorCode.UNAVAILABLE, operation="get_batch")

        async def small(missing: list[str]) -> list[str]:
            load.asked.append([key[0] for key in missing])
            return [key[0] for key in missing]

        assert await client.cache("cache").results.get_or_set_batch(keys, small) == [b"a", b"b", b"c", b"d"]
        assert load.asked == [["a", "b", "c", "d"]]
        found = [await client.cache("cache").results.get(key) for key in keys]
        assert found == [r.MISS, r.MISS, r.Hit(b"c"), r.Hit(b"d")]


async def test_goc_15_failed_store_still_returns_the_loaded_values() -> None:
    fake, load = Fake(), Loader()
    async with fake.client() as client:
        fake.fail(ErrorCode.LIMIT_EXCEEDED, operation="set_batch")
        assert await client.cache("cache").results.get_or_set_batch(["a"], load.later) == [b"made of a"]
        assert await client.cache("cache").results.get("a") == r.MISS


async def test_goc_15_invalid_arguments_raise_before_any_call() -> None:
    fake, load = Fake(), Loader()
    endless: Any = iter(lambda: "k", None)
    async with fake.client() as client:
        cases: list[tuple[Any, Any, type[Exception]]] = [
            ("ab", 5, TypeError),
            ([7], 5, TypeError),
            ([""], 5, CacheError),
            (["\ud800"], 5, CacheError),
            (["a"], 0, CacheError),
            (["a"], "5", TypeError),
            (endless, 5, CacheError),
        ]
        for keys, ttl, error in cases:
            with pytest.raises(error):
                await client.cache("cache").results.get_or_set_batch(keys, load.later, ttl=ttl)
        with pytest.raises(TypeError):
            await client.cache("cache").get_or_set_batch(cases[0][0], load.later)
        with pytest.raises(CacheError, match="InvalidArgument"):
            await client.cache(" ").results.get_or_set_batch(["a"], load.later)
    assert not fake.received and not load.asked


async def test_goc_15_real_server_stores_the_loaded_values() -> None:
    with larder_server() as port:
        credentials, load = CredentialProvider.local(port=port), Loader()
        async with CacheClient(credentials, default_ttl=60) as client:
            keys = [f"{number}" for number in range(1_000)]
            async with asyncio.timeout(PATIENCE_S):
                first = await client.cache("cache").results.get_or_set_batch(keys, load.later)
            assert (
                await client.cache("cache").results.get_or_set_batch(keys, load.later) == first and len(load.asked) == 1
            )
