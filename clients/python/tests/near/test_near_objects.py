"""Decoded values that a typed cache keeps in the near cache."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from larder_cache import CacheError, ErrorCode, GetOrSetOptions, TypedCache, TypedHit
from larder_cache import responses as r
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES, Envelope
from larder_cache._internal.near.near_copies import KeptObject, NearCopies, NearCopy
from larder_cache.codecs import Codec, JsonCodec, TextCodec
from tests.near.conftest import Near, near_client, with_near
from tests.near.near_server import NearServer


class Counting(Codec[Any]):
    """A codec that counts its calls of `decode`."""

    @property
    def content(self) -> int:
        return 200

    def __init__(self, make: Any = bytes.decode) -> None:
        self.make = make
        self.decoded = 0

    def encode(self, value: Any) -> bytes:
        return str(value).encode()

    def decode(self, payload: bytes) -> Any:
        self.decoded += 1
        return self.make(payload)


def put(server: NearServer, codec: Codec[Any], value: Any, key: bytes = b"k") -> None:
    server.items[key] = Envelope(codec, None, MOST_DECODED_BYTES).encode(value)


async def reads(near: Near, typed: TypedCache[Any], key: str = "k") -> Any:
    """Read a value until the near cache has a copy, and then again."""
    await typed.get(key)
    assert near.has(key)
    return await typed.get(key)


async def no_factory() -> Any:
    raise AssertionError("the factory must not be called")


async def test_immutable_value_is_decoded_once_per_near_copy(near: Near, near_server: NearServer) -> None:
    codec = Counting()
    put(near_server, codec, "v")
    typed = near.client.cache("cache").typed(codec)
    first = await reads(near, typed)
    decoded = codec.decoded
    for _ in range(5):
        assert await typed.get("k") is first
        assert await typed.results.get("k") == TypedHit("v")
        assert await typed.get_or_set("k", no_factory) is first
        assert await typed.get_or_set("k", no_factory, options=GetOrSetOptions()) is first
    assert (codec.decoded, near_server.received["get"]) == (decoded, 1)
    # Another handle with the same codec object uses the same value.
    assert await near.client.cache("cache").with_timeout(1).typed(codec).get("k") is first
    assert codec.decoded == decoded


async def test_kept_value_is_dropped_when_the_item_changes(near: Near, near_server: NearServer) -> None:
    codec = Counting()
    put(near_server, codec, "v1")
    typed = near.client.cache("cache").typed(codec)
    assert await reads(near, typed) == "v1"
    put(near_server, codec, "v2")
    near_server.tell(b"k")
    while near.has("k"):
        await asyncio.sleep(0)
    assert await reads(near, typed) == "v2"
    await typed.set("k", "v3")
    assert await reads(near, typed) == "v3"


async def test_mutable_value_is_kept_only_on_request(near: Near, near_server: NearServer) -> None:
    codec: JsonCodec[dict[str, int]] = JsonCodec(dict[str, int])
    put(near_server, codec, {"a": 1})
    cache = near.client.cache("cache")
    each = cache.typed(codec)
    assert await reads(near, each) is not await each.get("k")
    shared = cache.typed(codec, keep_objects=True)
    assert await shared.get("k") is await shared.get("k")
    text = Counting()
    put(near_server, text, "v", b"m")
    never = cache.typed(text, keep_objects=False)
    await reads(near, never, "m")
    decoded = text.decoded
    await never.get("m")
    assert text.decoded == decoded + 1


async def test_callers_cannot_change_the_response_of_other_callers(near: Near, near_server: NearServer) -> None:
    put(near_server, TextCodec(), "v")
    typed = near.client.cache("cache").typed(TextCodec())
    await reads(near, typed)
    answer = await typed.results.get("k")
    assert isinstance(answer, TypedHit)
    answer.value = "changed"
    assert await typed.get("k") == "v"


async def test_each_codec_and_length_limit_decodes_for_itself(near: Near, near_server: NearServer) -> None:
    def in_capitals(payload: bytes) -> str:
        return payload.decode().upper()

    codec, upper = Counting(), Counting(in_capitals)
    put(near_server, codec, "value")
    cache = near.client.cache("cache")
    assert await reads(near, cache.typed(codec)) == "value"
    assert await cache.typed(upper).get("k") == "VALUE"
    assert await cache.typed(codec).get("k") == "value"
    with pytest.raises(CacheError, match="max_decoded_bytes|5") as error:
        await cache.typed(codec, max_decoded_bytes=4).get("k")
    assert error.value.code is ErrorCode.DECODING_FAILED


async def test_kept_none_is_a_hit(near: Near, near_server: NearServer) -> None:
    codec = Counting()
    put(near_server, codec, None)
    typed = near.client.cache("cache").typed(codec)
    await reads(near, typed)
    assert await typed.results.get("k") == TypedHit(None)
    assert await typed.get("k", "default") is None


async def test_undecodable_copy_fails_gets_and_is_loaded_again(near: Near, near_server: NearServer) -> None:
    near_server.items[b"k"] = b"no envelope"
    typed = near.client.cache("cache").typed(Counting())
    await near.client.cache("cache").get("k")
    assert near.has("k")
    for _ in range(2):
        answer = await typed.results.get("k")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.DECODING_FAILED

    async def load() -> str:
        return "new"

    assert await typed.get_or_set("k", load) == "new"


async def test_invalid_arguments_are_rejected_although_a_value_is_kept(near: Near, near_server: NearServer) -> None:
    codec = Counting()
    put(near_server, codec, "v")
    typed = near.client.cache("cache").typed(codec)
    await reads(near, typed)
    with pytest.raises(CacheError):
        await typed.get_or_set("k", no_factory, ttl=-1)
    with pytest.raises(TypeError):
        await typed.get_or_set("k", no_factory, options=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        await typed.get(3)  # type: ignore[arg-type,call-overload]
    answer = await typed.results.get("")
    assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT


async def test_kept_values_count_against_the_limit(near_server: NearServer) -> None:
    async with near_client(near_server.port, with_near(max_bytes=20_000)) as near:
        codec = Counting()
        typed = near.client.cache("cache").typed(codec, object_bytes=lambda value: 9_000)
        for key in (b"k", b"m", b"n"):
            put(near_server, codec, "v", key)
            await reads(near, typed, key.decode())
            assert 9_000 < near.figures.bytes <= 20_000
            near.reads.state.assert_valid()
        assert (near.figures.copies, near.figures.evictions) == (2, 1)
        # A value that does not fit is returned, but it is not kept.
        huge = near.client.cache("cache").typed(codec, max_decoded_bytes=1_000, object_bytes=lambda value: 1 << 60)
        assert await huge.get("n") == "v"
        decoded = codec.decoded
        assert await huge.get("n") == "v" and codec.decoded == decoded + 1
        near.reads.state.assert_valid()


@pytest.mark.parametrize("size", [-1, 1.5, "1", True, None])
async def test_invalid_result_of_object_bytes_is_rejected(size: Any, near: Near, near_server: NearServer) -> None:
    codec = Counting()
    put(near_server, codec, "v")
    typed = near.client.cache("cache").typed(codec, object_bytes=lambda value: size)
    await typed.get("k")
    with pytest.raises(ValueError, match="object_bytes must return"):
        await typed.get("k")
    assert await near.client.cache("cache").typed(codec).get("k") == "v"


async def test_wrong_types_of_options_are_rejected(near: Near) -> None:
    with pytest.raises(TypeError, match="keep_objects must be"):
        near.client.cache("cache").typed(TextCodec(), keep_objects=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="object_bytes must be"):
        near.client.cache("cache").typed(TextCodec(), object_bytes=1)  # type: ignore[arg-type]


def test_value_is_not_attached_to_a_removed_copy() -> None:
    copies = NearCopies(1_000)
    copy = NearCopy("c", b"k", b"v", 0, 1.0)
    copies.add(copy)
    copies.drop("c", b"k")
    copies.attach(copy, KeptObject(None, "v"), 10)
    copies.assert_valid()
    assert (copy.decoded, copies.size) == (None, 0)


def test_attaching_evicts_other_copies_first() -> None:
    copies = NearCopies(1_000)
    all_copies = [NearCopy("c", b"%d" % number, bytes(70), 0, 1.0) for number in range(5)]
    for copy in all_copies:
        copies.add(copy)
    for bytes_more, left in ((1, 4), (190, 4), (300, 3), (800, 1), (801, 1), (0, 1)):
        copies.attach(all_copies[0], KeptObject(None, bytes_more), bytes_more)
        copies.assert_valid()
        assert len(copies) == left, bytes_more
    assert copies.find("c", b"0") is all_copies[0]
