"""Calls on dictionaries, against the real server."""

from __future__ import annotations

from typing import Any

from larder_cache import CacheResults, ErrorCode
from larder_cache import responses as r
from tests.collections.conftest import new_key


async def test_dictionary_get_returns_fields_in_request_order(cache: CacheResults) -> None:
    key = new_key()
    mixed: Any = {b"\xff": bytearray(b"\x00")}
    assert await cache.dictionary_set(key, {"a": "1", "b": ""}) == r.SUCCESS
    assert await cache.dictionary_set(key, mixed) == r.SUCCESS
    assert await cache.dictionary_get(key, ["b", "x", b"\xff", "b"]) == r.DictionaryGetHit([b"", None, b"\x00", b""])
    answer = await cache.dictionary_get_fields(key, (each for each in ("a", "x")))
    assert isinstance(answer, r.DictionaryGetHit) and answer.texts == ["1", None]


async def test_dictionary_fetch_returns_fields_as_bytes_and_as_text(cache: CacheResults) -> None:
    key = new_key()
    await cache.dictionary_set(key, [("a", "1"), ("ä", "2"), ("a", "3")])
    answer = await cache.dictionary_fetch(key)
    assert isinstance(answer, r.DictionaryFetchHit)
    assert answer.texts == {"a": "3", "ä": "2"} and dict(answer.items) == {b"a": b"3", "ä".encode(): b"2"}
    assert await cache.dictionary_length(key) == r.DictionaryLengthHit(2)


async def test_dictionary_increment_starts_at_0_and_rejects_overflow(cache: CacheResults) -> None:
    key, most = new_key(), 2**63 - 1
    assert await cache.dictionary_increment(key, "n") == r.DictionaryIncrementSuccess(1)
    assert await cache.dictionary_increment(key, "n", -3) == r.DictionaryIncrementSuccess(-2)
    assert await cache.dictionary_increment(key, "m", most) == r.DictionaryIncrementSuccess(most)
    for field in ("m", "text"):
        await cache.dictionary_set_field(key, "text", "none")
        answer = await cache.dictionary_increment(key, field)
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.FAILED_PRECONDITION
    assert await cache.dictionary_get_field(key, "m") == r.Hit(str(most).encode())


async def test_removing_the_last_field_deletes_the_dictionary(cache: CacheResults) -> None:
    key = new_key()
    await cache.dictionary_set_fields(key, {"a": "1", "b": "2", "c": "3"})
    assert await cache.dictionary_remove(key, ["a", "x"]) == r.SUCCESS
    assert await cache.dictionary_get_field(key, "a") == r.MISS
    assert await cache.dictionary_remove_fields(key, []) == r.SUCCESS
    assert await cache.dictionary_remove_field(key, "b") == r.SUCCESS
    assert await cache.dictionary_length(key) == r.DictionaryLengthHit(1)
    assert await cache.dictionary_delete(key) == r.SUCCESS
    assert await cache.dictionary_fetch(key) == r.MISS and await cache.dictionary_get_field(key, "c") == r.MISS
