"""Typed caches (CODEC-7 to CODEC-9): asyncio and blocking, with the fake and a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from larder_cache import (
    CacheClient,
    CacheError,
    CredentialProvider,
    ErrorCode,
    GetOrSetOptions,
    Ttl,
    TypedGetBatchSuccess,
    TypedHit,
    TypedResults,
)
from larder_cache import responses as r
from larder_cache import sync
from larder_cache.codecs import BytesCodec, JsonCodec, MessagePackCodec, TextCodec
from larder_cache.fake import FakeServer as Fake
from tests.support.larder_server import larder_server


@dataclass
class User:
    name: str
    age: int | None = None


ADA = User("Ada", 36)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with larder_server() as running:
        yield running


def users(client: CacheClient, **settings: Any) -> TypedResults[User]:
    return client.cache("cache").typed(JsonCodec(User), **settings).results


def _decoding(answer: Any) -> bool:
    return isinstance(answer, r.Error) and answer.code is ErrorCode.DECODING_FAILED


async def test_codec_9_typed_calls_accept_and_return_values() -> None:
    fake = Fake()
    async with fake.client() as client:
        cache = users(client)
        assert await cache.get("k") == r.MISS
        assert await cache.set("k", ADA, ttl=7) == r.SUCCESS
        assert await client.cache("cache").results.item_get_ttl("k") == r.RemainingTtl(6_999)
        assert await cache.get("k") == TypedHit(ADA)
        assert await cache.set("none", None) == r.SUCCESS and await cache.get("none") == TypedHit(None)
        batch = {"a": User("a"), "b": None}
        assert await cache.set_batch(batch) == r.SUCCESS
        assert await cache.set_batch([("c", User("c"), 5), ("d", User("d"))], ttl=50) == r.SUCCESS
        found = await cache.get_batch(["a", "b", "c", "absent"])
        assert found == TypedGetBatchSuccess([TypedHit(User("a")), TypedHit(None), TypedHit(User("c")), r.MISS])
        assert isinstance(found, TypedGetBatchSuccess) and found.values == [User("a"), None, User("c"), None]
        assert await client.cache("cache").results.item_get_ttl("c") == r.RemainingTtl(4_999)
        assert repr(found) == "TypedGetBatchSuccess(3 hits of 4)" and repr(found.responses[0]) == "TypedHit(User)"


async def test_codec_9_typed_responses_support_pattern_matching() -> None:
    async with Fake().client() as client:
        cache = users(client)
        await cache.set("k", ADA)
        match await cache.get("k"):
            case TypedHit(value):
                assert value == ADA
            case r.Miss() | r.Error():
                raise AssertionError


@pytest.mark.parametrize(
    "codec", [BytesCodec(), TextCodec(), JsonCodec(), MessagePackCodec()], ids=lambda c: type(c).__name__
)
async def test_typed_cache_round_trips_each_codec_with_a_real_server(codec: Any, port: int) -> None:
    value: Any = {BytesCodec: b"\xff" * 5_000, TextCodec: "héllo " * 1_000}.get(
        codec.__class__, {"a": [1, 2.5, None, "x"]}
    )
    async with CacheClient(CredentialProvider.local(port=port), default_ttl=60) as client:
        cache = client.cache("cache").typed(codec, compress_above=1_000).results
        await client.flush_cache("cache")

        async def make() -> Any:
            return value

        async def make_all(keys: Sequence[str]) -> list[Any]:
            return [value for _ in keys]

        assert await cache.get_or_set("k", make) == value and await cache.get("k") == TypedHit(value)
        options = GetOrSetOptions(lease=10)
        assert await cache.get_or_set("leased", make, options=options) == value
        assert await cache.get("leased") == TypedHit(value)
        assert await cache.get_or_set_batch(["k", "l"], make_all) == [value, value]
        assert await cache.get_batch(["k", "l"]) == TypedGetBatchSuccess([TypedHit(value)] * 2)
        raw = await client.cache("cache").results.get("l")
        assert isinstance(raw, r.Hit) and raw.value[:4] == bytes([0xC1, 0x4C, 1, codec.content])
        assert len(raw.value) < 200


async def test_typed_cache_stores_none_with_the_ttl_from_ttl_of() -> None:
    fake, calls = Fake(), 0

    async def find() -> User | None:
        nonlocal calls
        calls += 1
        return None

    def ttl_of(user: User | None) -> Ttl | None:
        return 5 if user is None else None

    async with fake.client() as client:
        cache = users(client)
        for _ in range(3):
            assert await cache.get_or_set("k", find, options=GetOrSetOptions(ttl_of=ttl_of)) is None
        assert calls == 1 and await client.cache("cache").results.item_get_ttl("k") == r.RemainingTtl(4_999)


FOREIGN = [b"plain", b"", b"\xc1\x4c\x01\x02\x00text", b'\xc1\x4c\x01\x03\x00{"name":7}', b"\xc1\x4c\x02\x03\x00{}"]


@pytest.mark.parametrize("stored", FOREIGN)
async def test_codec_7_undecodable_item_returns_an_error_only_for_itself(stored: bytes) -> None:
    async with Fake().client() as client:
        cache = users(client)
        await client.cache("cache").results.set("k", stored)
        await cache.set("good", ADA)
        answer = await cache.get("k")
        assert _decoding(answer) and "plain" not in str(answer) and "text" not in str(answer)
        batch = await cache.get_batch(["good", "k", "absent"])
        assert isinstance(batch, TypedGetBatchSuccess)
        assert batch.responses[0] == TypedHit(ADA) and _decoding(batch.responses[1]) and batch.responses[2] == r.MISS
        assert batch.values == [ADA, None, None]


@pytest.mark.parametrize("options", [None, GetOrSetOptions(), GetOrSetOptions(revalidate_for=60, fail_safe_for=60)])
@pytest.mark.parametrize("stored", FOREIGN)
async def test_codec_7_get_or_set_replaces_an_undecodable_item(stored: bytes, options: GetOrSetOptions | None) -> None:
    async with Fake().client() as client:
        cache, calls = users(client), 0

        async def make() -> User:
            nonlocal calls
            calls += 1
            return ADA

        await client.cache("cache").results.set("k", stored)
        for _ in range(2):
            assert await cache.get_or_set("k", make, options=options) == ADA
        assert calls == 1 and await cache.get("k") == TypedHit(ADA)


async def test_codec_7_get_or_set_batch_replaces_undecodable_items() -> None:
    fake = Fake()
    async with fake.client() as client:
        cache, asked = users(client), list[list[str]]()

        async def make(keys: Sequence[str]) -> list[User | None]:
            asked.append(list(keys))
            return [User(key) for key in keys]

        await client.cache("cache").results.set("bad", "plain")
        await cache.set("good", ADA)
        keys = ["good", "bad", "absent", "bad"]
        for _ in range(2):
            assert await cache.get_or_set_batch(keys, make) == [ADA, User("bad"), User("absent"), User("bad")]
        assert asked == [["bad", "absent"]] and fake.received["set_batch"] == 1


async def test_typed_stale_value_is_returned_and_refreshed_in_the_background() -> None:
    fake = Fake()
    async with fake.client() as client:
        cache, name = users(client), "old"

        async def make() -> User:
            return User(name)

        options = GetOrSetOptions(revalidate_for=60)
        assert await cache.get_or_set("k", make, ttl=1, options=options) == User("old")
        fake.advance(2)
        name = "new"
        assert await cache.get_or_set("k", make, options=options) == User("old")
        while await cache.get("k") != TypedHit(User("new")):
            await asyncio.sleep(0)


async def test_codec_8_encoding_failure_stores_nothing_and_releases_the_lease() -> None:
    fake = Fake()
    wrong: Any = {"name": "Ada"}
    async with fake.client() as client:
        cache = users(client)

        async def make() -> User:
            return wrong

        async def make_all(_: Sequence[str]) -> list[User | None]:
            return [ADA, wrong]

        calls = [
            lambda: cache.set("k", wrong),
            lambda: cache.set_batch({"a": ADA, "k": wrong}),
            lambda: cache.set_batch([("a", ADA, 5), ("k", wrong)]),
            lambda: cache.get_or_set("k", make),
            lambda: cache.get_or_set("k", make, options=GetOrSetOptions(lease=600)),
            lambda: cache.get_or_set_batch(["a", "k"], make_all),
        ]
        for call in calls:
            with pytest.raises(TypeError):
                await call()
        assert await client.cache("cache").results.get_batch(["a", "k"]) == r.GetBatchSuccess([r.MISS, r.MISS])
        assert fake.received["release_lease"] == 1
        items: Any
        for items in ([("k",)], ["k"], [("k", ADA, 5, 6)], [7]):
            with pytest.raises(TypeError):
                await cache.set_batch(items)


async def test_codec_8_custom_codec_error_is_raised_to_the_caller() -> None:
    class Broken:
        content = 128

        def encode(self, value: Any, /) -> bytes:
            raise KeyError("no such")

        def decode(self, payload: bytes, /) -> Any:
            raise KeyError("secret")

    fake = Fake()
    async with fake.client() as client:
        cache = client.cache("cache").typed(Broken()).results

        async def make() -> str:
            return "made"

        with pytest.raises(KeyError):
            await cache.set("k", "value")
        with pytest.raises(KeyError):
            await cache.get_or_set("k", make, options=GetOrSetOptions(lease=600))
        assert fake.received["release_lease"] == 1
        await client.cache("cache").results.set("k", b"\xc1\x4c\x01\x80\x00x")
        answer = await cache.get("k")
        assert _decoding(answer) and "secret" not in str(answer)


async def test_codec_5_value_over_the_decode_limit_fails_with_invalid_argument() -> None:
    fake = Fake()
    async with fake.client() as client:
        cache = client.cache("cache").typed(TextCodec(), max_decoded_bytes=100).results

        async def make() -> str:
            return "x" * 101

        async def make_all(_: Sequence[str]) -> list[str | None]:
            return ["x", "x" * 101]

        for answer in (await cache.set("k", "x" * 101), await cache.set_batch({"a": "x", "k": "x" * 101})):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
        for options in (None, GetOrSetOptions(lease=600)):
            with pytest.raises(CacheError, match="InvalidArgument"):
                await cache.get_or_set("k", make, options=options)
        with pytest.raises(CacheError, match="InvalidArgument"):
            await cache.get_or_set_batch(["a", "k"], make_all)
        assert fake.received["release_lease"] == 1
        assert await client.cache("cache").results.get_batch(["a", "k"]) == r.GetBatchSuccess([r.MISS, r.MISS])
        assert await cache.set("k", "x" * 100) == r.SUCCESS


async def test_typed_cache_returns_client_errors_unchanged() -> None:
    fake = Fake()
    async with fake.client() as client:
        cache = users(client)
        for answer in (await cache.get(""), await cache.set("", ADA), await cache.set("k", ADA, ttl=0)):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
        fake.fail(ErrorCode.UNAVAILABLE, times=None)
        for answer in (await cache.get("k"), await cache.set("k", ADA), await cache.get_batch(["k"])):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE

        async def make() -> User:
            return ADA

        assert await cache.get_or_set("k", make) == ADA


async def test_callers_sharing_a_load_receive_separate_objects() -> None:
    async with Fake().client() as client:
        cache = users(client)
        go_on = asyncio.Event()

        async def make() -> User:
            await go_on.wait()
            return User("Ada")

        calls = [asyncio.create_task(cache.get_or_set("k", make)) for _ in range(3)]
        await asyncio.sleep(0)
        go_on.set()
        made = await asyncio.gather(*calls)
        assert made == [User("Ada")] * 3 and len({id(each) for each in made}) == 3


async def test_typed_cache_decodes_each_value_only_once() -> None:
    class Counting(TextCodec):
        decoded = 0

        def decode(self, payload: bytes, /) -> str:
            self.decoded += 1
            return super().decode(payload)

    codec = Counting()
    async with Fake().client() as client:
        cache = client.cache("cache").typed(codec)

        async def make() -> str:
            return "made"

        async def make_all(keys: Sequence[str]) -> list[str | None]:
            return list(keys)

        await cache.get_or_set("k", make)
        assert codec.decoded == 0
        await cache.get_or_set("k", make)
        assert codec.decoded == 1
        await cache.get_or_set_batch(["k", "a"], make_all)
        assert codec.decoded == 2


def test_blocking_typed_cache_reads_and_writes_values() -> None:
    with Fake().sync_client() as client:
        cache: sync.TypedResults[User] = client.cache("cache").typed(JsonCodec(User), compress_above=10).results
        assert cache.set("k", ADA) == r.SUCCESS and cache.get("k") == TypedHit(ADA)
        assert cache.get_or_set("made", lambda: User("made")) == User("made")
        assert cache.get_or_set_batch(["k", "a"], lambda keys: [User(key) for key in keys]) == [ADA, User("a")]
        assert cache.set_batch({"b": None}) == r.SUCCESS
        assert cache.get_batch(["a", "b", "c"]) == TypedGetBatchSuccess([TypedHit(User("a")), TypedHit(None), r.MISS])
        with pytest.raises(TypeError):
            cache.set("k", "Ada")  # pyright: ignore[reportArgumentType]
