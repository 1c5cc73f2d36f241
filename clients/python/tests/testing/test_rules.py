"""The fake's rules for requests that our clients never send, and its limits, tested without a client."""

from __future__ import annotations

import math
from typing import Any

import pytest
from google.protobuf.message import Message

from larder_cache import ErrorCode
from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import run_on_any_thread
from larder_cache._internal.operations._generated.messages import control
from larder_cache._internal.testing import follower, items
from larder_cache._internal.testing.caches import Caches
from larder_cache._internal.testing.clock import Clock
from larder_cache._internal.testing.contents import ElementList
from larder_cache._internal.testing.refused import Refused
from larder_cache._internal.testing.rpcs import Rpcs
from larder_cache._internal.testing.rules import TtlRule
from larder_cache.fake import FakeServer
from protobuf_messages import cache_pb2 as pb
from protobuf_messages import extras_pb2

DAY_MS = 86_400_000
SCORES = [pb.SortedSetElement(value=b"a", score=1), pb.SortedSetElement(value=b"b", score=2)]


@pytest.fixture
def rpcs() -> Rpcs:
    caches = Caches(Clock(), TtlRule(DAY_MS))
    caches.create(control.CreateCacheRequest(name="cache"))
    return Rpcs(caches)


def ask(rpcs: Rpcs, request: Message) -> bytes:
    name = type(request).__name__.removesuffix("Request")
    service = "larder.v1.Extras" if name.startswith("Scan") else "cache_client.Scs"
    return rpcs.answer(f"/{service}/{name}", "cache", request.SerializeToString())


K: dict[str, Any] = {"key": b"k", "value": b"v", "ttl_ms": 1}
N: dict[str, Any] = {"name": b"n"}


@pytest.mark.parametrize(
    "request_",
    [
        pb.GetRequest(),
        pb.DeleteRequest(),
        pb.KeysExistRequest(keys=[b"a", b""]),
        pb.GetBatchRequest(items=[pb.GetRequest(key=b"a"), pb.GetRequest()]),
        pb.SetRequest(key=b"k", ttl_ms=0),
        pb.SetRequest(key=b"k", ttl_ms=DAY_MS + 1),
        pb.SetRequest(key=b"k", ttl_ms=2**64 - 1),
        pb.SetIfRequest(**K),
        pb.SetIfHashRequest(**K),
        pb.UpdateTtlRequest(key=b"k"),
        pb.DictionaryGetRequest(name=b"n", fields=[b""]),
        pb.DictionarySetRequest(**N, items=[pb.DictionaryItem(value=b"v")], ttl_ms=1),
        pb.DictionaryDeleteRequest(**N),
        pb.SetUnionRequest(elements=[b"a"], ttl_ms=1),
        pb.SetUnionRequest(**N, elements=[b"a"], ttl_ms=0),
        pb.SetPopRequest(**N),
        pb.SetDifferenceRequest(**N),
        pb.SetDifferenceRequest(**N, subtrahend=pb.SetDifferenceRequest.Subtrahend()),
        pb.ListRemoveRequest(**N),
        pb.ListEraseRequest(**N),
        pb.ListRetainRequest(**N, refresh_ttl=True),
        pb.SortedSetPutRequest(**N, elements=[pb.SortedSetElement(value=b"a", score=math.nan)], ttl_ms=1),
        pb.SortedSetFetchRequest(**N),
        pb.SortedSetFetchRequest(**N, order=2, by_index={}),  # type: ignore[arg-type]  # pyright: ignore
        pb.SortedSetFetchRequest(**N, by_score={"min_score": {"score": math.nan}}),  # pyright: ignore
        pb.SortedSetGetRankRequest(**N, value=b"a", order=7),  # type: ignore[arg-type]  # pyright: ignore
        pb.SortedSetIncrementRequest(**N, value=b"a", amount=math.nan, ttl_ms=1),
        pb.SortedSetRemoveRequest(**N),
        pb.SortedSetLengthByScoreRequest(**N, inclusive_min=math.nan),
        pb.SortedSetUnionStoreRequest(**N, ttl_ms=1),
        pb.SortedSetUnionStoreRequest(**N, sources=[pb.SortedSetUnionStoreRequest.Source(weight=1)], ttl_ms=1),
        pb.SortedSetUnionStoreRequest(
            **N, sources=[pb.SortedSetUnionStoreRequest.Source(name=b"n")], aggregate=3, ttl_ms=1  # pyright: ignore
        ),
        extras_pb2.ScanKeysRequest(type=6),  # type: ignore[arg-type]  # pyright: ignore
        extras_pb2.ScanItemsRequest(),
    ],
    ids=lambda request: type(request).__name__,
)
def test_fake_server_rejects_invalid_requests(rpcs: Rpcs, request_: Message) -> None:
    with pytest.raises(Refused) as refused:
        ask(rpcs, request_)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENT


def test_fake_sorted_set_can_be_fetched_without_scores(rpcs: Rpcs) -> None:
    ask(rpcs, pb.SortedSetPutRequest(**N, elements=SCORES, ttl_ms=1))
    asked = pb.SortedSetFetchRequest(**N, by_index=pb.SortedSetFetchRequest.ByIndex())
    found = pb.SortedSetFetchResponse.FromString(ask(rpcs, asked)).found
    assert list(found.values.values) == [b"a", b"b"] and not found.HasField("with_scores")


def test_fake_collection_is_deleted_when_all_elements_are_removed(rpcs: Rpcs) -> None:
    ask(rpcs, pb.SetUnionRequest(name=b"s", elements=[b"a"], ttl_ms=1))
    every = pb.SetDifferenceRequest.Subtrahend(identity=pb.Empty())
    ask(rpcs, pb.SetDifferenceRequest(name=b"s", subtrahend=every))
    ask(rpcs, pb.ListPushBackRequest(name=b"l", value=b"a", ttl_ms=1))
    ask(rpcs, pb.ListEraseRequest(name=b"l", all=pb.Empty()))
    ask(rpcs, pb.SortedSetPutRequest(name=b"z", elements=SCORES, ttl_ms=1))
    ask(rpcs, pb.SortedSetRemoveRequest(name=b"z", all=pb.Empty()))
    there = pb.KeysExistResponse.FromString(ask(rpcs, pb.KeysExistRequest(keys=[b"s", b"l", b"z"])))
    assert list(there.exists) == [False] * 3


async def test_full_fake_cache_rejects_new_items_until_some_expire(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(items, "MOST_ITEMS", 10)
    fake = FakeServer()
    client = fake.client()
    for number in range(10):
        assert await client.cache("cache").results.set(f"{number}", "v", ttl=1 if number == 0 else 60) == r.SUCCESS
    for number in range(100):
        refused = await client.cache("cache").results.set(f"more {number}", "v")
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.LIMIT_EXCEEDED
    assert await client.cache("cache").results.set("9", "other") == r.SUCCESS
    fake.advance(1)
    assert await client.cache("cache").results.set("more", "v") == r.SUCCESS


@pytest.mark.parametrize(("count", "is_whole"), [(20, True), (21, False), (200, False)])
async def test_fake_topic_limits_messages_queued_for_a_blocked_event_loop(
    monkeypatch: pytest.MonkeyPatch, count: int, is_whole: bool
) -> None:
    monkeypatch.setattr(follower, "MOST_UNDER_WAY", 20)
    fake = FakeServer()
    async with fake.client().cache("cache").results.subscribe("t") as followed:
        # These publishes block this event loop, so the subscription cannot receive their messages yet.
        publisher = fake.sync_client().asynchronous
        for _ in range(count):
            assert run_on_any_thread(publisher.cache("cache").results.publish("t", "x")) == r.SUCCESS
        first = await anext(followed)
    assert (getattr(first, "number", None) == 1) is is_whole


def test_list_elements_keep_their_numbers_when_the_list_changes() -> None:
    held = ElementList()
    held.push_back([b"c", b"d"])
    at = held.number_at(0)
    held.push_front([b"a", b"b"])
    assert held.place_after(at) == 3
    held.keep_at([0, 3])
    assert held.place_after(at) == 1 and held.values == [b"a", b"d"]
    # An element at the position of a removed element gets a new number, because numbers are unique.
    held.keep(0, 1)
    held.push_back([b"e"])
    assert held.place_after(at) == 1 and held.number_at(1) > at


async def test_list_scan_returns_unchanged_elements_once_during_changes() -> None:
    client = FakeServer().client()
    await client.cache("cache").results.list_concatenate_back("l", [f"{n}" for n in range(20)])
    seen: list[bytes] = []
    cursor = b""
    while True:
        page = await client.cache("cache").results.scan_items("l", cursor=cursor, count=3)
        assert isinstance(page, r.ListPage)
        seen += page.values
        cursor = page.cursor
        if not cursor:
            break
        await client.cache("cache").results.list_push_front("l", "new")
        await client.cache("cache").results.list_remove("l", f"{len(seen) - 1}")
    assert seen == [f"{n}".encode() for n in range(20)]


async def test_scan_cursor_of_another_cache_or_type_is_rejected() -> None:
    client = FakeServer(caches=("one", "two")).client()
    for cache in ("one", "two"):
        await client.cache(cache).results.set_add_elements("k", ["a", "b", "c"])
        await client.cache(cache).results.set("l", "v")
    page = await client.cache("one").results.scan_items("k", count=1)
    keys = await client.cache("one").results.scan_keys(count=1)
    assert isinstance(page, r.SetPage) and isinstance(keys, r.KeyPage) and page.cursor and keys.cursor
    for refused in (
        await client.cache("two").results.scan_items("k", cursor=page.cursor),
        await client.cache("one").results.scan_items("l", cursor=page.cursor),
        await client.cache("one").results.scan_items("k", cursor=keys.cursor),
        await client.cache("two").results.scan_keys(cursor=keys.cursor),
        await client.cache("one").results.scan_keys(cursor=page.cursor),
        await client.cache("one").results.scan_items("k", cursor=page.cursor[:16]),
    ):
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
    await client.cache("one").results.delete("k")
    await client.cache("one").results.list_push_back("k", "a")
    other = await client.cache("one").results.scan_items("k", cursor=page.cursor)
    assert isinstance(other, r.Error) and other.code is ErrorCode.FAILED_PRECONDITION


async def test_scan_page_ends_at_1_mib_but_is_never_empty() -> None:
    client = FakeServer().client()
    for number in range(4):
        await client.cache("cache").results.list_push_back("l", b"x" * (600 * 1024) + b"%d" % number)
    page = await client.cache("cache").results.scan_items("l")
    assert isinstance(page, r.ListPage) and len(page.values) == 1 and page.cursor
    await client.cache("cache").results.list_push_back("large", b"x" * 2_000_000)
    whole = await client.cache("cache").results.scan_items("large")
    assert isinstance(whole, r.ListPage) and len(whole.values) == 1 and not whole.cursor
