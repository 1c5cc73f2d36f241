"""Batches larger than the largest message are sent in parts. The responses are merged in order (BATCH-9)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from larder_cache import CacheClient, CacheError, CacheResults, Configurations, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache._internal.client.batch_parts import parts_of as counted_parts_of
from larder_cache._internal.client.batch_parts import run_parts
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import MOST_BYTES


def _client(port: int, seconds: float = 60) -> CacheClient:
    patient = Configurations.Laptop.latest().with_settings(request_timeout_s=seconds)
    return CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=patient)


def parts_of(items: list[bytes]) -> list[bytes]:
    parts = counted_parts_of(items)
    assert sum(count for count, _ in parts) == len(items)
    return [part for _, part in parts]


def test_parts_fill_the_maximum_message_size_and_keep_order() -> None:
    # Each of these items is preceded by a tag of one byte and a length of four bytes.
    half = bytes(MOST_BYTES // 2 - 5)
    assert parts_of([]) == [b""]
    assert [len(part) for part in parts_of([half, half])] == [MOST_BYTES]
    assert [len(part) for part in parts_of([half, half, b""])] == [MOST_BYTES, 2]
    assert [len(part) for part in parts_of([half + b"1", half])] == [MOST_BYTES // 2 + 1, MOST_BYTES // 2]
    assert [len(part) for part in parts_of([half] * 20)] == [MOST_BYTES] * 10
    assert [len(part) for part in parts_of([b"1", bytes(MOST_BYTES), b"2"])] == [3, MOST_BYTES + 5, 3]
    assert b"".join(parts_of([b"a", half, b"b", half, b"c"])) == b"".join(
        part for item in [b"a", half, b"b", half, b"c"] for part in parts_of([item])
    )


async def test_batch_over_the_message_size_is_split_and_rejoined(port: int) -> None:
    async with _client(port) as client:
        items = {f"large-{i}": bytes([i]) * 4_000_000 for i in range(7)}
        assert isinstance(await client.cache("cache").results.set_batch(items), r.Success)
        answer = await client.cache("cache").results.get_batch([*reversed(items), "absent"])
        assert isinstance(answer, r.GetBatchSuccess)
        assert answer.values == [*reversed(items.values()), None]
        keys = [f"{i:03}".encode() * 30_000 for i in range(130)]
        assert isinstance(await client.cache("cache").results.set(keys[125], "there"), r.Success)
        exist = await client.cache("cache").results.keys_exist(keys)
        assert isinstance(exist, r.ExistsEach) and exist.exists == [i == 125 for i in range(130)]
        got = await client.cache("cache").results.get_batch(keys)
        assert isinstance(got, r.GetBatchSuccess) and [each == r.MISS for each in got.responses] == [
            i != 125 for i in range(130)
        ]


async def test_rejected_batch_part_does_not_affect_other_parts(port: int) -> None:
    async with _client(port) as client:
        items: list[tuple[str, bytes]] = [(f"part-{i}", bytes(4_000_000)) for i in range(6)]
        items[2] = ("part-2", bytes(6_000_000))
        answer = await client.cache("cache").results.set_batch(items)
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.LIMIT_EXCEEDED
        exist = await client.cache("cache").results.keys_exist([key for key, _ in items])
        assert isinstance(exist, r.ExistsEach) and exist.exists[4:] == [True, True] and not exist.exists[2]
        await client.cache("cache").results.set("after", "v")
        # A key over the item limit may be rejected, together with the rest of its part. Later parts are not affected.
        keys = [bytes(11_000_000), b"after"]
        got = await client.cache("cache").results.get_batch(
            [*keys, *(bytes([i]) * 3_000_000 for i in range(1, 4)), b"after"]
        )
        assert isinstance(got, r.GetBatchSuccess), got
        assert isinstance(got.responses[0], (r.Error, r.Miss)) and got.responses[-1] == r.Hit(b"v")
        before = await client.cache("cache").results.get_batch(["never"])
        assert isinstance(
            await client.cache("cache").results.set_batch([("never", bytes(9_000_000)), ("", b"")]), r.Error
        )
        assert await client.cache("cache").results.get_batch(["never"]) == before


@pytest.mark.parametrize(
    ("timeout_s", "expected"), [(None, [1.0, 0.6, 0.2, 0.001, 0.001]), (0.5, [0.5, 0.1, 0.001, 0.001, 0.001])]
)
async def test_parts_of_a_batch_share_one_deadline(
    monkeypatch: pytest.MonkeyPatch, timeout_s: float | None, expected: list[float]
) -> None:
    now, given = 0.0, list[float]()

    async def run(_: object, __: str, ___: bytes, left: float) -> r.SetBatchResponse:
        nonlocal now
        now += 0.4
        given.append(left)
        return r.SUCCESS

    monkeypatch.setattr("larder_cache._internal.client.batch_parts.monotonic", lambda: now)
    configuration = Configurations.Laptop.latest().with_settings(request_timeout_s=1.0)
    calls: Any = SimpleNamespace(run=run, configuration=configuration)
    answers = await run_parts(calls, op.SET_BATCH, "cache", [bytes(6_000_000)] * 5, timeout_s)
    # Parts that start after the deadline get the minimum timeout of a call.
    assert answers == [(1, r.SUCCESS)] * 5 and [round(left, 6) for left in given] == expected


async def test_get_batch_raises_if_one_part_fails(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _client(port) as client:
        failed = r.Error(ErrorCode.UNAVAILABLE, "injected")

        async def partly(*_: object, **__: object) -> r.GetBatchResponse:
            return r.GetBatchSuccess([r.Hit(b"v"), failed])

        monkeypatch.setattr(CacheResults, "get_batch", partly)
        with pytest.raises(CacheError, match="injected"):
            await client.cache("cache").get_batch(["a", "b"])


async def test_delete_each_sends_deletes_concurrently_up_to_the_limit(port: int) -> None:
    async with _client(port) as client:
        cache = client.cache("cache")
        keys = [f"gone-{i}" for i in range(2_500)]
        await cache.set_batch(dict.fromkeys(keys, "v"))
        calls = asyncio.create_task(cache.delete_each(keys))
        first = 0
        while not first and not calls.done():
            await asyncio.sleep(0)
            first = client.statistics().in_flight
        assert first == 1_000, "as many as the cap lets through, in one turn"
        await calls
        assert await cache.get_batch(keys) == {}
        with pytest.raises(CacheError):
            await cache.delete_each(["a", ""])
