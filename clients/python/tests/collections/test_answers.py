"""Decoding of collection responses, including invalid ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from larder_cache import CacheClient, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache._internal.operations._generated import operations as op
from protobuf_messages import cache_pb2 as pb
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import client_of, pipelined
from tests.support.fake_server import FakeServer
from tests.support.metrics import Counted

# Each row is an operation, a response, and the decoded value of the response.
READ: list[tuple[op.Operation[Any], Any, Any]] = [
    (
        op.DICTIONARY_GET,
        pb.DictionaryGetResponse(found={"parts": [{"result": "Hit", "value": b"v"}, {"result": "Miss"}]}),
        r.DictionaryGetHit([b"v", None]),
    ),
    (
        op.DICTIONARY_FETCH,
        pb.DictionaryFetchResponse(found={"items": [{"field": b"f", "value": b"v"}]}),
        r.DictionaryFetchHit([r.DictionaryField(b"f", b"v")]),
    ),
    (op.DICTIONARY_INCREMENT, pb.DictionaryIncrementResponse(value=-7), r.DictionaryIncrementSuccess(-7)),
    (op.DICTIONARY_LENGTH, pb.DictionaryLengthResponse(found={"length": 3}), r.DictionaryLengthHit(3)),
    (op.SET_FETCH, pb.SetFetchResponse(found={"elements": [b"a", b""]}), r.SetFetchHit([b"a", b""])),
    (op.SET_DIFFERENCE, pb.SetDifferenceResponse(found=pb.Empty()), r.SET_DIFFERENCE_HIT),
    (op.SET_CONTAINS, pb.SetContainsResponse(found={"contains": [True, False]}), r.SetContainsHit([True, False])),
    (op.LIST_POP_BACK, pb.ListPopBackResponse(found={"value": b"v", "length": 2}), r.ListPopBackHit(b"v", 2)),
    (op.LIST_PUSH_BACK, pb.ListPushBackResponse(length=2), r.ListPushBackSuccess(2)),
    (
        op.SORTED_SET_FETCH_BY_RANK,
        pb.SortedSetFetchResponse(found={"with_scores": {"elements": [{"value": b"e", "score": 1.5}]}}),
        r.SortedSetFetchHit([r.ScoredElement(b"e", 1.5)]),
    ),
    (
        op.SORTED_SET_GET_SCORE,
        pb.SortedSetGetScoreResponse(found={"parts": [{"result": "Miss"}, {"result": "Hit", "score": -2}]}),
        r.SortedSetGetScoreHit([None, -2.0]),
    ),
    (
        op.SORTED_SET_GET_RANK,
        pb.SortedSetGetRankResponse(part={"result": "Hit", "rank": 2**40}),
        r.SortedSetGetRankHit(2**40),
    ),
    (op.SORTED_SET_INCREMENT, pb.SortedSetIncrementResponse(score=-0.5), r.SortedSetIncrementSuccess(-0.5)),
]


@pytest.mark.parametrize(("operation", "answer", "read"), READ, ids=lambda each: getattr(each, "name", ""))
def test_collection_response_is_decoded(operation: op.Operation[Any], answer: Any, read: Any) -> None:
    assert operation.decode(answer.SerializeToString()) == read


@pytest.mark.parametrize(("operation", "answer", "read"), READ, ids=lambda each: getattr(each, "name", ""))
def test_truncated_collection_response_is_not_decoded_as_complete(
    operation: op.Operation[Any], answer: Any, read: Any
) -> None:
    whole = answer.SerializeToString()
    for cut in range(1, len(whole)):
        try:
            assert operation.decode(whole[:cut]) != read or not read
        except Exception as broken:
            assert not isinstance(broken, (AttributeError, NameError, AssertionError)), broken


def test_collection_response_with_truncated_part_raises() -> None:
    # The outer lengths are valid, but the length of the value exceeds the part that contains it.
    for operation in (op.DICTIONARY_GET, op.DICTIONARY_FETCH, op.SORTED_SET_GET_SCORE, op.SET_FETCH):
        with pytest.raises(Exception):  # noqa: B017
            operation.decode(b"\x0a\x05\x0a\x07\x12\x05v")


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        (op.DICTIONARY_GET, pb.DictionaryGetResponse(found={"parts": [{"result": "Ok"}]})),
        (op.DICTIONARY_GET, pb.DictionaryGetResponse(found={"parts": [{"value": b"v"}]})),
        (op.SORTED_SET_GET_SCORE, pb.SortedSetGetScoreResponse(found={"parts": [{"score": 1}]})),
        (op.SORTED_SET_GET_RANK, pb.SortedSetGetRankResponse(part={"rank": 1})),
        (op.SORTED_SET_FETCH_BY_RANK, pb.SortedSetFetchResponse(found={"values": {"values": [b"e"]}})),
        (op.SORTED_SET_FETCH_BY_SCORE, pb.SortedSetFetchResponse(found={})),
        (op.SET_FETCH, pb.SetFetchResponse()),
        (op.LIST_POP_FRONT, pb.ListPopFrontResponse()),
    ],
)
def test_collection_response_without_a_valid_result_raises_unexpected_response(
    operation: op.Operation[Any], answer: Any
) -> None:
    with pytest.raises(op.UnexpectedResponse):
        operation.decode(answer.SerializeToString())


@pytest.mark.parametrize("wrong", [b"\x08\x01", b"\x0d\0\0\0\0", b"\x09\0\0\0\0\0\0\0\0"])
def test_response_field_of_wrong_wire_type_raises_unexpected_response(wrong: bytes) -> None:
    for operation, _, read in READ:
        if "Success" not in type(read).__name__:
            with pytest.raises(op.UnexpectedResponse):
                operation.decode(wrong)


def test_nested_field_of_wrong_wire_type_is_ignored() -> None:
    # These responses contain a number in place of a score or an element.
    scored = b"\x0a\x08\x0a\x06\x0a\x04\x0a\x00\x10\x07"
    assert op.SORTED_SET_FETCH_BY_RANK.decode(scored) == r.SortedSetFetchHit([r.ScoredElement(b"", 0.0)])
    assert op.SET_FETCH.decode(b"\x0a\x02\x08\x07") == r.SetFetchHit([])
    assert op.SORTED_SET_INCREMENT.decode(b"\x08\x07") == r.SortedSetIncrementSuccess(0.0)


def _with(field: str, answer: Any) -> Callable[[pipe.Operation], Awaitable[pipe.Result]]:
    async def hook(call: pipe.Operation) -> pipe.Result:
        result = pipe.Result(id=call.id)
        getattr(result, field).CopyFrom(answer)
        return result

    return hook


@pytest.mark.parametrize(
    ("name", "field", "answer"),
    [
        ("dictionary_get_field", "dictionary_get", pb.DictionaryGetResponse(found={})),
        (
            "dictionary_get_field",
            "dictionary_get",
            pb.DictionaryGetResponse(found={"parts": [{"result": "Miss"}, {"result": "Miss"}]}),
        ),
        ("dictionary_get_field", "dictionary_get", pb.DictionaryGetResponse(found={"parts": [{}]})),
        ("set_contains_element", "set_contains", pb.SetContainsResponse(found={})),
        ("sorted_set_get_element_score", "sorted_set_get_score", pb.SortedSetGetScoreResponse(found={})),
        ("key_exists", "keys_exist", pb.KeysExistResponse()),
    ],
)
async def test_one_element_call_fails_if_response_has_wrong_part_count(
    server: FakeServer, name: str, field: str, answer: Any
) -> None:
    server.on_operation = _with(field, answer)
    async with client_of(server, pipelined()) as client:
        given = ("k",) if name == "key_exists" else ("k", "one")
        told: Any = await getattr(client.cache("cache").results, name)(*given)
        assert isinstance(told, r.Error) and told.code is ErrorCode.INTERNAL, told
        assert not any(client.held().values())


@pytest.mark.parametrize("count", [0, 1, 3, 20_000])
async def test_response_with_wrong_part_count_fails_with_internal_error(server: FakeServer, count: int) -> None:
    hits, miss = [{"result": "Hit", "value": b"v"}] * count, pb.GetResponse(result="Miss")
    lies: list[tuple[str, str, Any]] = [
        ("dictionary_get", "dictionary_get", pb.DictionaryGetResponse(found={"parts": hits})),
        ("set_contains", "set_contains", pb.SetContainsResponse(found={"contains": [True] * count})),
        (
            "sorted_set_get_score",
            "sorted_set_get_score",
            pb.SortedSetGetScoreResponse(found={"parts": [{"result": "Miss"}] * count}),
        ),
        ("keys_exist", "keys_exist", pb.KeysExistResponse(exists=[True] * count)),
        ("get_batch", "get_batch", pipe.GetBatchResult(responses=[miss] * count)),
    ]
    async with client_of(server, pipelined()) as client:
        for name, field, answer in lies:
            server.on_operation = _with(field, answer)
            given: list[Any] = [["a", "b"]] if field in ("keys_exist", "get_batch") else ["k", ["a", "b"]]
            told: Any = await getattr(client.cache("cache").results, name)(*given)
            assert isinstance(told, r.Error) and told.code is ErrorCode.INTERNAL, (name, told)
            assert "instead of 2" in told.message


async def test_invalid_collection_response_fails_only_its_call(server: FakeServer) -> None:
    server.on_operation = _with("set_fetch", pb.SetFetchResponse())
    async with client_of(server, pipelined()) as client:
        assert isinstance(await client.cache("cache").results.set_fetch("k"), r.Error)
        assert isinstance(await client.cache("cache").results.list_fetch("k"), r.Error)
        server.on_operation = None
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)


async def test_collection_misses_are_not_counted_as_item_misses(server: FakeServer) -> None:
    counted = Counted()
    at = CredentialProvider.local(port=server.port)
    server.on_operation = _with("set_fetch", pb.SetFetchResponse(missing=pb.Empty()))
    async with CacheClient(at, default_ttl=60, configuration=pipelined(), metrics=counted) as client:
        assert await client.cache("cache").results.set_fetch("k") == r.MISS
        server.on_operation = None
        assert await client.cache("cache").results.get("k") == r.MISS
    assert counted.counts == {"cache.misses": 1}


def test_collection_response_repr_truncates_long_values() -> None:
    long = b"\x01secret" * 1_000
    for answer in (
        r.DictionaryGetHit([long]),
        r.DictionaryFetchHit([r.DictionaryField(long, long)]),
        r.SetFetchHit([long]),
        r.SetContainsHit([True] * 1_000),
        r.ListPopFrontHit(long, 1_000),
        r.ListFetchHit([long]),
        r.SortedSetFetchHit([r.ScoredElement(long, 1)]),
        r.DictionaryField(long, long),
        r.ScoredElement(long, 1.5),
    ):
        assert len(repr(answer)) < 250 and type(answer).__name__ in repr(answer)
