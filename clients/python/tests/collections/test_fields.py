"""Arguments of collection calls: the encoded messages, and the arguments that are rejected."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

import pytest

from larder_cache import CollectionTtl, ErrorCode, ScoreBound, SortedSetAggregate, SortedSetOrder
from larder_cache._internal.operations import collection_fields as wire
from larder_cache._internal.operations.arguments import Refusal
from larder_cache._internal.operations.requests import Requests
from protobuf_messages import cache_pb2 as pb

REQUESTS = Requests(60_000)
NAN, INFINITE = float("nan"), float("inf")
NO: Any = "no"
UP, DOWN = SortedSetOrder.ASCENDING, SortedSetOrder.DESCENDING


def _same(made: bytes, expected: Any) -> bool:
    read: Any = type(expected)()
    read.ParseFromString(made)
    return bool(read == expected)


def test_dictionary_requests_match_protobuf() -> None:
    items: Any = {"f": "v", "g": b"\xff"}
    ttl = CollectionTtl(1.5, refresh_ttl=False)
    expected: Any = {"name": b"n", "items": [{"field": b"f", "value": b"v"}, {"field": b"g", "value": b"\xff"}]}
    assert _same(REQUESTS.dictionary_set("n", items, ttl), pb.DictionarySetRequest(**expected, ttl_ms=1_500))
    assert _same(
        REQUESTS.dictionary_set("n", list(items.items()), None),
        pb.DictionarySetRequest(**expected, ttl_ms=60_000, refresh_ttl=True),
    )
    assert _same(
        REQUESTS.dictionary_increment("n", "f", -(2**63), None),
        pb.DictionaryIncrementRequest(name=b"n", field=b"f", amount=-(2**63), ttl_ms=60_000, refresh_ttl=True),
    )
    assert _same(REQUESTS.dictionary_delete("n"), pb.DictionaryDeleteRequest(name=b"n", all=pb.Empty()))
    some = pb.DictionaryDeleteRequest.Some(fields=[b"f", b"g"])
    assert _same(REQUESTS.dictionary_remove("n", ["f", "g"]), pb.DictionaryDeleteRequest(name=b"n", some=some))


def test_requests_of_both_set_difference_calls_match_protobuf() -> None:
    elements = pb.SetDifferenceRequest.Elements(elements=[b"a", b""])
    less = pb.SetDifferenceRequest.Subtrahend(set=elements)
    assert _same(REQUESTS.set_difference("n", ["a", ""]), pb.SetDifferenceRequest(name=b"n", subtrahend=less))
    assert _same(REQUESTS.set_difference_from("n", ["a", ""]), pb.SetDifferenceRequest(name=b"n", minuend=elements))
    empty = pb.SetDifferenceRequest.Subtrahend(set=pb.SetDifferenceRequest.Elements())
    assert _same(REQUESTS.set_difference("n", []), pb.SetDifferenceRequest(name=b"n", subtrahend=empty))


@pytest.mark.parametrize("index", [0, 1, -1, 2**31 - 1, -(2**31)])
def test_list_request_encodes_index_0_explicitly(index: int) -> None:
    expected = pb.ListFetchRequest(name=b"n", inclusive_start=index, unbounded_end=pb.Empty())
    assert _same(REQUESTS.list_fetch("n", index, None), expected)
    kept = pb.ListRetainRequest(name=b"n", unbounded_start=pb.Empty(), exclusive_end=index)
    assert _same(REQUESTS.list_retain("n", None, index, None), kept)


def test_sorted_set_requests_match_protobuf() -> None:
    score: Any = pb.SortedSetFetchRequest.ByScore(
        min_score={"score": -0.0, "exclusive": True}, max_score={"score": INFINITE}, offset=3, count=-1
    )
    assert _same(
        REQUESTS.sorted_set_fetch_by_score("n", DOWN, ScoreBound(-0.0, exclusive=True), INFINITE, 3, -1),
        pb.SortedSetFetchRequest(name=b"n", order="DESCENDING", with_scores=True, by_score=score),
    )
    rank = pb.SortedSetFetchRequest.ByIndex(inclusive_start=0, unbounded_end=pb.Empty())
    assert _same(
        REQUESTS.sorted_set_fetch_by_rank("n", UP, 0, None),
        pb.SortedSetFetchRequest(name=b"n", with_scores=True, by_index=rank),
    )
    assert _same(
        REQUESTS.sorted_set_length_by_score("n", 0, ScoreBound(5, exclusive=True)),
        pb.SortedSetLengthByScoreRequest(name=b"n", inclusive_min=0, exclusive_max=5),
    )
    assert _same(
        REQUESTS.sorted_set_union_store("n", [("a", 2), "b"], SortedSetAggregate.MAX, None),
        pb.SortedSetUnionStoreRequest(
            name=b"n",
            sources=[{"name": b"a", "weight": 2}, {"name": b"b", "weight": 1}],
            aggregate="MAX",
            ttl_ms=60_000,
        ),
    )


class Other(enum.Enum):
    ASCENDING = 0


def _failing() -> Iterator[str]:
    yield "a"
    raise LookupError("the caller's own")


# For each kind of list, a string in place of a list of bytes or numbers.
LISTS: dict[str, Callable[[Any], bytes]] = {
    "names": lambda given: REQUESTS.dictionary_get("n", given),
    "items": lambda given: REQUESTS.dictionary_set("n", given, None),
    "elements": lambda given: REQUESTS.set_union("n", given, None),
    "values": lambda given: REQUESTS.list_concatenate_back("n", given, None, 0),
    "scored": lambda given: REQUESTS.sorted_set_put("n", given, None),
    "ranges": lambda given: REQUESTS.list_erase("n", given),
    "sources": lambda given: REQUESTS.sorted_set_union_store("n", given, SortedSetAggregate.SUM, None),
}
NO_LIST: list[Any] = [
    None,
    7,
    "text",
    b"bytes",
    bytearray(b"b"),
    memoryview(b"m"),
    [None],
    [7],
    [[]],
    [object()],
    "",
    b"",
]
ONE: dict[str, Any] = {
    "items": ("f", "v"),
    "scored": ("e", 1.0),
    "ranges": (0, 1),
}


@pytest.mark.parametrize("name", LISTS)
def test_invalid_list_argument_raises_type_error(name: str) -> None:
    for bad in NO_LIST:
        with pytest.raises(TypeError):
            LISTS[name](bad)


@pytest.mark.parametrize("name", LISTS)
def test_list_argument_accepts_any_finite_iterable(name: str) -> None:
    one = ONE.get(name, "e")
    assert LISTS[name]([])
    assert LISTS[name](each for each in [one, one]) == LISTS[name]([one, one]) == LISTS[name]((one, one))
    with pytest.raises(Refusal) as refused:
        LISTS[name](repeat(one))
    error = refused.value.error
    assert (error.code, error.cause) == (ErrorCode.LIMIT_EXCEEDED, "request_size_limit_exceeded")


@pytest.mark.parametrize("name", LISTS)
def test_exception_of_an_iterable_is_raised_to_the_caller(name: str) -> None:
    with pytest.raises(LookupError, match="own"):
        LISTS[name](_failing())


# Requests that take text.
TEXTS: list[Callable[[Any], bytes]] = [
    lambda bad: REQUESTS.dictionary_set("n", {bad: "v"}, None),
    lambda bad: REQUESTS.dictionary_set("n", {"f": bad}, None),
    lambda bad: REQUESTS.dictionary_get("n", [bad]),
    lambda bad: REQUESTS.set_union("n", ["a", bad], None),
    lambda bad: REQUESTS.list_push_front("n", bad, None, 0),
    lambda bad: REQUESTS.sorted_set_put("n", [(bad, 1)], None),
    lambda bad: REQUESTS.sorted_set_get_rank("n", bad, UP),
    lambda bad: REQUESTS.sorted_set_union_store("n", [bad], SortedSetAggregate.SUM, None),
    lambda bad: REQUESTS.key(bad),
]


@pytest.mark.parametrize("made", TEXTS)
def test_text_with_unpaired_surrogate_is_rejected(made: Callable[[str], bytes]) -> None:
    with pytest.raises(Refusal):
        made("\ud800")


@pytest.mark.parametrize(
    "made",
    [
        lambda: REQUESTS.dictionary_set("n", {"": "v"}, None),
        lambda: REQUESTS.dictionary_get("n", ["f", b""]),
        lambda: REQUESTS.dictionary_remove("n", [""]),
        lambda: REQUESTS.dictionary_increment("n", "", 1, None),
        lambda: REQUESTS.sorted_set_union_store("n", [("", 1)], SortedSetAggregate.SUM, None),
    ],
)
def test_empty_field_and_source_names_are_rejected(made: Callable[[], bytes]) -> None:
    with pytest.raises(Refusal):
        made()


# Requests with a score, each with an invalid score.
NO_SCORE: list[Any] = [None, "1", b"1", True, [1], 1j, object()]
NO_COUNT: list[Any] = [1.0, 0.5, NAN, "1", b"1", [], object()]
SCORES: list[Callable[[Any], bytes]] = [
    lambda given: REQUESTS.sorted_set_put("n", {"e": given}, None),
    lambda given: REQUESTS.sorted_set_increment("n", "e", given, None),
    lambda given: wire.bound(1, 2, "min", NO if given is None else given),
    lambda given: REQUESTS.sorted_set_fetch_by_score("n", UP, None, ScoreBound(given), 0, -1),
    lambda given: REQUESTS.sorted_set_length_by_score("n", None, ScoreBound(given, exclusive=True)),
    lambda given: REQUESTS.sorted_set_union_store("n", {"s": given}, SortedSetAggregate.SUM, None),
]


@pytest.mark.parametrize("made", SCORES)
def test_nan_overflowing_or_non_numeric_score_is_rejected(made: Callable[[Any], bytes]) -> None:
    for good in (0, -0.0, 1.5, -3, INFINITE, -INFINITE, 2**60):
        assert made(good)
    for bad in (NAN, 10**400, -(10**5_000)):
        with pytest.raises(Refusal):
            made(bad)
    for bad in NO_SCORE:
        with pytest.raises(TypeError):
            made(bad)


def test_union_weight_over_32_bits_is_rejected() -> None:
    with pytest.raises(Refusal, match="32-bit"):
        REQUESTS.sorted_set_union_store("n", [("s", 1e300)], SortedSetAggregate.SUM, None)


# Requests that take a count, with the limits of the count.
COUNTS: list[tuple[Callable[[Any], bytes], int, int]] = [
    (lambda given: REQUESTS.set_sample("n", given), 0, 2**64 - 1),
    (lambda given: REQUESTS.set_pop("n", given), 0, 2**32 - 1),
    (lambda given: REQUESTS.list_push_back("n", "v", None, given), 0, 2**32 - 1),
    (lambda given: REQUESTS.list_erase("n", [(given, 1)]), 0, 2**32 - 1),
    (lambda given: REQUESTS.list_erase("n", [(0, given)]), 0, 2**32 - 1),
    (lambda given: REQUESTS.sorted_set_fetch_by_score("n", UP, None, None, given, -1), 0, 2**32 - 1),
    (lambda given: REQUESTS.sorted_set_fetch_by_score("n", UP, None, None, 0, given), -(2**31), 2**31 - 1),
    (lambda given: REQUESTS.sorted_set_fetch_by_rank("n", UP, given, None), -(2**31), 2**31 - 1),
    (lambda given: REQUESTS.list_fetch("n", given, None), -(2**31), 2**31 - 1),
    (lambda given: REQUESTS.list_retain("n", 0, given, None), -(2**31), 2**31 - 1),
    (lambda given: REQUESTS.dictionary_increment("n", "f", given, None), -(2**63), 2**63 - 1),
]


@pytest.mark.parametrize(("made", "least", "most"), COUNTS)
def test_count_must_be_an_integer_within_its_range(made: Callable[[Any], bytes], least: int, most: int) -> None:
    assert made(least) and made(most)
    for bad in (least - 1, most + 1, 10**5_000, -(10**5_000)):
        with pytest.raises(Refusal):
            made(bad)
    for bad in NO_COUNT:
        with pytest.raises(TypeError):
            made(bad)


def test_sort_order_of_wrong_type_raises_type_error() -> None:
    others: list[Any] = [None, 0, "ASCENDING", Other.ASCENDING, SortedSetAggregate.SUM]
    for bad in others:
        with pytest.raises(TypeError):
            REQUESTS.sorted_set_get_rank("n", "e", bad)


@pytest.mark.parametrize("bad", [0, -1, NAN, INFINITE, 10**400, CollectionTtl(0), CollectionTtl(366 * 86_400)])
def test_ttl_outside_its_range_is_rejected(bad: Any) -> None:
    for made in (wire.ttl, wire.kept_ttl):
        with pytest.raises(Refusal):
            made(1, 2, bad, 60_000)


def test_ttl_of_wrong_type_raises_type_error() -> None:
    others: list[Any] = ["5", True, b"", object()]
    for bad in [*others, *map(CollectionTtl, others), *(CollectionTtl(5, refresh_ttl=flag) for flag in others[2:])]:
        for made in (wire.ttl, wire.kept_ttl):
            with pytest.raises(TypeError):
                made(1, 2, bad, 60_000)


def test_score_bound_with_a_non_bool_exclusive_raises_type_error() -> None:
    with pytest.raises(TypeError):
        wire.bound(1, 2, "min", ScoreBound(1, exclusive=NO))


def test_request_over_the_message_size_is_rejected() -> None:
    with pytest.raises(Refusal) as refused:
        REQUESTS.list_concatenate_back("n", [b"x" * 1_000_000] * 12, None, 0)
    error = refused.value.error
    assert (error.code, error.cause) == (ErrorCode.LIMIT_EXCEEDED, "request_size_limit_exceeded")


def test_list_of_the_maximum_length_is_encoded() -> None:
    made = REQUESTS.set_union("n", (f"{i}" for i in range(wire.MOST_ELEMENTS)), None)
    assert len(pb.SetUnionRequest.FromString(made).elements) == wire.MOST_ELEMENTS


def test_collection_ttl_factory_methods_build_equal_values() -> None:
    ttl = CollectionTtl.of(5)
    assert ttl.refresh_ttl and ttl == CollectionTtl(5) and CollectionTtl.from_cache_ttl() == CollectionTtl(None)
    kept = ttl.with_no_refresh_ttl_on_updates()
    assert kept == CollectionTtl(5, refresh_ttl=False) and kept.with_refresh_ttl_on_updates() == ttl
    assert len({ttl, CollectionTtl(5), kept}) == 2
