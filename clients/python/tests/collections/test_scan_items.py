"""Scans of a collection, which return its contents page by page."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from larder_cache import CacheClient, CacheResults, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.pipeline_codec import Malformed
from protobuf_messages import extras_pb2 as extras
from tests.collections.conftest import new_key
from tests.conftest import capped, client_of, stable_id, unary
from tests.support.fake_server import FakeServer
from tests.support.metrics import Counted

NAMES = [f"element {number}" for number in range(1_000)]
SCORES = {name: number / 4 for number, name in enumerate(NAMES)}


async def _all(cache: CacheResults, name: str, count: int = 64) -> list[Any]:
    """Return the contents of all pages of a collection. Fail for an unexpected response."""
    pages: list[Any] = []
    cursor = b""
    while cursor or not pages:
        page = await cache.scan_items(name, cursor=cursor, count=count)
        assert not isinstance(page, (r.Miss, r.Error)), page
        pages.append(page)
        cursor = page.cursor
    return pages


async def test_scan_items_returns_every_dictionary_field_with_its_value(cache: CacheResults) -> None:
    key = new_key()
    await cache.dictionary_set(key, {name: f"its {name}" for name in NAMES} | {"empty": ""})
    pages = await _all(cache, key)
    assert len(pages) > 1 and {type(page) for page in pages} == {r.DictionaryPage}
    assert {page.type for page in pages} == {r.ItemType.DICTIONARY}
    met = {field: value for page in pages for field, value in page.texts.items()}
    assert met == {name: f"its {name}" for name in NAMES} | {"empty": ""}


async def test_scan_items_returns_every_set_element(cache: CacheResults) -> None:
    key = new_key()
    await cache.set_union(key, [*NAMES, b"\xff\0"])
    pages = await _all(cache, key)
    assert len(pages) > 1 and {type(page) for page in pages} == {r.SetPage}
    assert {each for page in pages for each in page.elements} == {*(name.encode() for name in NAMES), b"\xff\0"}


async def test_scan_items_returns_list_elements_in_order(cache: CacheResults) -> None:
    key = new_key()
    await cache.list_concatenate_back(key, [*NAMES, *NAMES])
    pages = await _all(cache, key)
    assert len(pages) > 1 and {type(page) for page in pages} == {r.ListPage}
    assert [each for page in pages for each in page.texts] == [*NAMES, *NAMES]


async def test_scan_items_returns_every_sorted_set_element_with_its_score(cache: CacheResults) -> None:
    key = new_key()
    scores = SCORES | {"lowest": float("-inf"), "highest": float("inf")}
    await cache.sorted_set_put(key, scores)
    pages = await _all(cache, key)
    assert len(pages) > 1 and {type(page) for page in pages} == {r.SortedSetPage}
    assert {element: score for page in pages for element, score in page.texts.items()} == scores


async def test_scan_items_limits_the_page_size_for_any_count(cache: CacheResults) -> None:
    key = new_key()
    await cache.set_union(key, NAMES)
    for count in (0, 1, 2**32 - 1):
        page = await cache.scan_items(key, count=count)
        assert isinstance(page, r.SetPage) and len(page.elements) <= 1_000
    assert len(await _all(cache, key, count=0)) > 1


async def test_scan_items_returns_miss_for_missing_key_and_rejects_scalar(client: CacheClient) -> None:
    assert await client.cache("cache").results.scan_items(new_key()) == r.MISS
    key = new_key()
    await client.cache("cache").results.set(key, "scalar")
    for cache, name, code in (
        ("cache", key, ErrorCode.FAILED_PRECONDITION),
        ("cache", "", ErrorCode.INVALID_ARGUMENT),
        ("no-such-cache", key, ErrorCode.NOT_FOUND),
    ):
        answer = await client.cache(cache).results.scan_items(name)
        assert isinstance(answer, r.Error) and answer.code is code, answer


async def test_scan_items_rejects_invalid_cursors(cache: CacheResults) -> None:
    key, other = new_key(), new_key()
    await cache.set_union(key, NAMES)
    await cache.sorted_set_put(other, SCORES)
    page = await cache.scan_items(key, count=1)
    assert isinstance(page, r.SetPage) and page.cursor
    hostile = [b"garbage", b"\0", b"\xff" * 10_000, page.cursor[:-1], page.cursor + b"\0"]
    for name, cursors in ((key, hostile), (other, [*hostile, page.cursor])):
        for cursor in cursors:
            answer = await cache.scan_items(name, cursor=cursor)
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT, (cursor, answer)


def test_blocking_scan_items_returns_every_list_element(port: int) -> None:
    with sync.CacheClient(CredentialProvider.local(port=port), default_ttl=60) as client:
        cache, key = client.cache("cache").results, new_key()
        client.cache("cache").results.list_concatenate_back(key, NAMES)
        values: list[str] = []
        cursor = b""
        while cursor or not values:
            page = cache.scan_items(key, cursor=cursor, count=100)
            assert isinstance(page, r.ListPage)
            values, cursor = values + page.texts, page.cursor
        assert values == NAMES
        assert client.cache("cache").results.scan_items(new_key()) == r.MISS


@pytest.mark.parametrize("arguments", [{"count": -1}, {"count": 2**32}, {"count": 10**5_000}, {"cursor": "\ud800"}])
async def test_scan_items_rejects_count_outside_32_bits_without_sending(server: FakeServer, arguments: Any) -> None:
    async with client_of(server) as client:
        answer = await client.cache("cache").results.scan_items("k", **arguments)
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
        assert not server.received


@pytest.mark.parametrize("bad", [None, 1.5, [], {}, object()], ids=stable_id)
async def test_scan_items_raises_type_error_for_invalid_argument_types(server: FakeServer, bad: Any) -> None:
    async with client_of(server, capped(unary(), 2)) as client:
        scan: Any = client.cache("cache").results.scan_items
        for wrong in ({"name": bad}, {"cursor": bad}, {"count": bad}, {"count": "1"}):
            with pytest.raises(TypeError):
                await scan(**({"name": "k"} | wrong))
        with pytest.raises(TypeError):
            client.cache(bad)
        assert not any(client.held().values()) and not server.received


async def test_scan_items_request_contains_name_cursor_and_count(server: FakeServer) -> None:
    seen: list[extras.ScanItemsRequest] = []

    def answer(request: bytes) -> bytes:
        seen.append(extras.ScanItemsRequest.FromString(request))
        return extras.ScanItemsResponse(missing={}).SerializeToString()

    server.extras["ScanItems"] = answer
    async with client_of(server) as client:
        assert await client.cache("cache").results.scan_items("name") == r.MISS
        assert await client.cache("cache").results.scan_items(b"\xff", cursor=b"c\0", count=2**32 - 1) == r.MISS
    assert seen == [
        extras.ScanItemsRequest(name=b"name"),
        extras.ScanItemsRequest(name=b"\xff", cursor=b"c\0", count=2**32 - 1),
    ]


# Each row is a response and its decoded value.
READ: list[tuple[Any, Any]] = [
    (
        extras.ScanItemsResponse(dictionary={"fields": [{"field": b"f", "value": b"v"}, {}]}, cursor=b"c"),
        r.DictionaryPage([r.DictionaryField(b"f", b"v"), r.DictionaryField(b"", b"")], b"c"),
    ),
    (extras.ScanItemsResponse(set={"elements": [b"a", b""]}, cursor=b"c"), r.SetPage([b"a", b""], b"c")),
    (extras.ScanItemsResponse(list={"elements": [b"b", b"a", b"b"]}), r.ListPage([b"b", b"a", b"b"], b"")),
    (
        extras.ScanItemsResponse(sorted_set={"elements": [{"value": b"e", "score": -1.5}]}, cursor=b"c"),
        r.SortedSetPage([r.ScoredElement(b"e", -1.5)], b"c"),
    ),
    (extras.ScanItemsResponse(set={}, cursor=b"c"), r.SetPage([], b"c")),
    (extras.ScanItemsResponse(missing={}), r.MISS),
]


@pytest.mark.parametrize(("answer", "read"), READ)
def test_scan_items_decodes_complete_responses_but_no_truncated_ones(answer: Any, read: Any) -> None:
    whole = answer.SerializeToString()
    assert op.SCAN_ITEMS.decode(whole) == read
    # Unknown fields are skipped.
    assert op.SCAN_ITEMS.decode(b"\xf8\x01\x07\x7a\x01x" + whole) == read
    for cut in range(1, len(whole)):
        try:
            assert op.SCAN_ITEMS.decode(whole[:cut]) != read
        except Exception as broken:
            assert not isinstance(broken, (AttributeError, NameError, AssertionError)), broken


# Invalid responses. Some have no known field of the oneof `items`. In the others, a field of this oneof or the cursor
# has a wrong wire type.
LIES = [b"", b"\x32\x00", b"\x4a\x01c", b"\x08\x01", b"\x0d\0\0\0\0", b"\x48\x01", b"\x29\0\0\0\0\0\0\0\0"]


@pytest.mark.parametrize("lie", LIES)
def test_scan_items_rejects_response_of_unknown_type(lie: bytes) -> None:
    with pytest.raises((op.UnexpectedResponse, Malformed)):
        op.SCAN_ITEMS.decode(lie)


async def test_invalid_scan_items_response_fails_only_its_call(server: FakeServer) -> None:
    async with client_of(server) as client:
        for lie in [*LIES, b"\xff", b"\x0a\x7f", b"\x0b"]:
            server.extras["ScanItems"] = lambda _, lie=lie: lie
            answer = await client.cache("cache").results.scan_items("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INTERNAL, (lie, answer)
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
        assert not any(client.held().values())


async def test_scan_items_returns_one_page_even_if_cursors_repeat(server: FakeServer) -> None:
    again = extras.ScanItemsResponse(list={"elements": [b"again"]}, cursor=b"again").SerializeToString()
    server.extras["ScanItems"] = lambda _: again
    async with client_of(server) as client:
        for calls in range(1, 4):
            assert await client.cache("cache").results.scan_items("k", cursor=b"again") == r.ListPage(
                [b"again"], b"again"
            )
            assert server.received["unary scanitems"] == calls


async def test_scan_items_retries_unavailable_but_not_unknown_status(server: FakeServer) -> None:
    async with client_of(server) as client:
        answer = await client.cache("cache").results.scan_items("k")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNKNOWN
        assert "scan_items" in answer.message and server.received["unary scanitems"] == 1
        server.unary_status = grpc.StatusCode.UNAVAILABLE
        answer = await client.cache("cache").results.scan_items("k")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
        assert server.received["unary scanitems"] > 2


async def test_scan_items_counts_no_hits_or_misses(server: FakeServer) -> None:
    counted, at = Counted(), CredentialProvider.local(port=server.port)
    async with CacheClient(at, default_ttl=60, configuration=unary(), metrics=counted) as client:
        for answer, read in READ:
            server.extras["ScanItems"] = lambda _, told=answer.SerializeToString(): told
            assert await client.cache("cache").results.scan_items("k") == read
    assert not counted.counts


def test_scan_page_repr_truncates_long_values() -> None:
    long = b"\x01secret" * 1_000
    for page in (
        r.DictionaryPage([r.DictionaryField(long, long)], b""),
        r.SetPage([long], b""),
        r.ListPage([long], b""),
        r.SortedSetPage([r.ScoredElement(long, 1)], b""),
    ):
        assert len(repr(page)) < 100 and repr(page).startswith(type(page).__name__) and "the last" in repr(page)
    assert repr(r.ListPage([b""] * 1_000, b"c")) == "ListPage(1,000 values)"
