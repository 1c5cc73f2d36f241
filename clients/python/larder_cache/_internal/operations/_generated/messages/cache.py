# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/cache.proto."""

from __future__ import annotations

import builtins  # noqa: F401

from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.message import field as _field

# CacheResult
Invalid = 0
Ok = 1
Hit = 2
Miss = 3

# SortedSetOrder
ASCENDING = 0
DESCENDING = 1


class Empty(Message):
    pass


class PingRequest(Message):
    pass


class PingResponse(Message):
    pass


class GetRequest(Message):
    key: bytes = _field("bytes", 1)


class GetResponse(Message):
    result: int = _field("enum", 1)
    value: bytes = _field("bytes", 2)
    message: str = _field("string", 3)


class GetWithHashRequest(Message):
    key: bytes = _field("bytes", 1)


class GetWithHashResponse(Message):
    class Found(Message):
        value: bytes = _field("bytes", 1)
        hash: bytes = _field("bytes", 2)

    found: GetWithHashResponse.Found = _field("message", 1, oneof="outcome", of=lambda: GetWithHashResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class GetBatchRequest(Message):
    items: list[GetRequest] = _field("message", 1, repeated=True, of=lambda: GetRequest())


class SetRequest(Message):
    key: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)


class SetResponse(Message):
    result: int = _field("enum", 1)
    message: str = _field("string", 2)


class SetBatchRequest(Message):
    items: list[SetRequest] = _field("message", 1, repeated=True, of=lambda: SetRequest())


class DeleteRequest(Message):
    key: bytes = _field("bytes", 1)


class DeleteResponse(Message):
    pass


class KeysExistRequest(Message):
    keys: list[bytes] = _field("bytes", 1, repeated=True)


class KeysExistResponse(Message):
    exists: list[bool] = _field("bool", 1, repeated=True)


class IncrementRequest(Message):
    key: bytes = _field("bytes", 1)
    amount: int = _field("int64", 2)
    ttl_ms: int = _field("uint64", 3)
    keep_ttl: bool = _field("bool", 64)


class IncrementResponse(Message):
    value: int = _field("int64", 1)


class Comparand(Message):
    value: bytes = _field("bytes", 1)


class SetIfRequest(Message):
    key: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)
    present: Empty = _field("message", 4, oneof="condition", of=lambda: Empty())
    present_and_not_equal: Comparand = _field("message", 5, oneof="condition", of=lambda: Comparand())
    absent: Empty = _field("message", 6, oneof="condition", of=lambda: Empty())
    equal: Comparand = _field("message", 7, oneof="condition", of=lambda: Comparand())
    absent_or_equal: Comparand = _field("message", 8, oneof="condition", of=lambda: Comparand())
    not_equal: Comparand = _field("message", 9, oneof="condition", of=lambda: Comparand())


class SetIfResponse(Message):
    stored: Empty = _field("message", 1, oneof="outcome", of=lambda: Empty())
    not_stored: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class HashComparand(Message):
    hash: bytes = _field("bytes", 1)


class SetIfHashRequest(Message):
    key: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)
    present_and_not_hash_equal: HashComparand = _field("message", 4, oneof="condition", of=lambda: HashComparand())
    present_and_hash_equal: HashComparand = _field("message", 5, oneof="condition", of=lambda: HashComparand())
    absent_or_hash_equal: HashComparand = _field("message", 6, oneof="condition", of=lambda: HashComparand())
    absent_or_not_hash_equal: HashComparand = _field("message", 7, oneof="condition", of=lambda: HashComparand())
    unconditional: Empty = _field("message", 8, oneof="condition", of=lambda: Empty())


class SetIfHashResponse(Message):
    class Stored(Message):
        new_hash: bytes = _field("bytes", 1)

    stored: SetIfHashResponse.Stored = _field("message", 1, oneof="outcome", of=lambda: SetIfHashResponse.Stored())
    not_stored: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SetIfNotExistsRequest(Message):
    key: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)


class SetIfNotExistsResponse(Message):
    stored: Empty = _field("message", 1, oneof="outcome", of=lambda: Empty())
    not_stored: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class UpdateTtlRequest(Message):
    key: bytes = _field("bytes", 1)
    increase_to_ms: int = _field("uint64", 2, oneof="change")
    decrease_to_ms: int = _field("uint64", 3, oneof="change")
    overwrite_to_ms: int = _field("uint64", 4, oneof="change")


class UpdateTtlResponse(Message):
    set: Empty = _field("message", 1, oneof="outcome", of=lambda: Empty())
    not_set: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())
    missing: Empty = _field("message", 3, oneof="outcome", of=lambda: Empty())


class UpdateTtlIfPrefixRequest(Message):
    key: bytes = _field("bytes", 1)
    prefix: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)


class UpdateTtlIfPrefixResponse(Message):
    class Different(Message):
        prefix: bytes = _field("bytes", 1)

    set: Empty = _field("message", 1, oneof="outcome", of=lambda: Empty())
    different: UpdateTtlIfPrefixResponse.Different = _field("message", 2, oneof="outcome", of=lambda: UpdateTtlIfPrefixResponse.Different())
    missing: Empty = _field("message", 3, oneof="outcome", of=lambda: Empty())


class ItemGetTtlRequest(Message):
    key: bytes = _field("bytes", 1)


class ItemGetTtlResponse(Message):
    class Found(Message):
        remaining_ms: int = _field("uint64", 1)

    found: ItemGetTtlResponse.Found = _field("message", 1, oneof="outcome", of=lambda: ItemGetTtlResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ItemGetTypeRequest(Message):
    key: bytes = _field("bytes", 1)


class ItemGetTypeResponse(Message):
    # ItemType
    SCALAR = 0
    DICTIONARY = 1
    SET = 2
    LIST = 3
    SORTED_SET = 4

    class Found(Message):
        type: int = _field("enum", 1)

    found: ItemGetTypeResponse.Found = _field("message", 1, oneof="outcome", of=lambda: ItemGetTypeResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class LengthFound(Message):
    length: int = _field("uint32", 1)


class DictionaryItem(Message):
    field: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)


class DictionaryGetRequest(Message):
    name: bytes = _field("bytes", 1)
    fields: list[bytes] = _field("bytes", 2, repeated=True)


class DictionaryGetResponse(Message):
    class Found(Message):
        parts: list[DictionaryGetResponse.Part] = _field("message", 1, repeated=True, of=lambda: DictionaryGetResponse.Part())

    class Part(Message):
        result: int = _field("enum", 1)
        value: bytes = _field("bytes", 2)

    found: DictionaryGetResponse.Found = _field("message", 1, oneof="outcome", of=lambda: DictionaryGetResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class DictionaryFetchRequest(Message):
    name: bytes = _field("bytes", 1)


class DictionaryFetchResponse(Message):
    class Found(Message):
        items: list[DictionaryItem] = _field("message", 1, repeated=True, of=lambda: DictionaryItem())

    found: DictionaryFetchResponse.Found = _field("message", 1, oneof="outcome", of=lambda: DictionaryFetchResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class DictionarySetRequest(Message):
    name: bytes = _field("bytes", 1)
    items: list[DictionaryItem] = _field("message", 2, repeated=True, of=lambda: DictionaryItem())
    ttl_ms: int = _field("uint64", 3)
    refresh_ttl: bool = _field("bool", 4)


class DictionarySetResponse(Message):
    pass


class DictionaryIncrementRequest(Message):
    name: bytes = _field("bytes", 1)
    field: bytes = _field("bytes", 2)
    amount: int = _field("int64", 3)
    ttl_ms: int = _field("uint64", 4)
    refresh_ttl: bool = _field("bool", 5)


class DictionaryIncrementResponse(Message):
    value: int = _field("int64", 1)


class DictionaryDeleteRequest(Message):
    class Some(Message):
        fields: list[bytes] = _field("bytes", 1, repeated=True)

    name: bytes = _field("bytes", 1)
    some: DictionaryDeleteRequest.Some = _field("message", 2, oneof="fields", of=lambda: DictionaryDeleteRequest.Some())
    all: Empty = _field("message", 3, oneof="fields", of=lambda: Empty())


class DictionaryDeleteResponse(Message):
    pass


class DictionaryLengthRequest(Message):
    name: bytes = _field("bytes", 1)


class DictionaryLengthResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ElementsFound(Message):
    elements: list[bytes] = _field("bytes", 1, repeated=True)


class SetFetchRequest(Message):
    name: bytes = _field("bytes", 1)


class SetFetchResponse(Message):
    found: ElementsFound = _field("message", 1, oneof="outcome", of=lambda: ElementsFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SetSampleRequest(Message):
    name: bytes = _field("bytes", 1)
    limit: int = _field("uint64", 2)


class SetSampleResponse(Message):
    found: ElementsFound = _field("message", 1, oneof="outcome", of=lambda: ElementsFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SetUnionRequest(Message):
    name: bytes = _field("bytes", 1)
    elements: list[bytes] = _field("bytes", 2, repeated=True)
    ttl_ms: int = _field("uint64", 3)
    refresh_ttl: bool = _field("bool", 4)


class SetUnionResponse(Message):
    pass


class SetDifferenceRequest(Message):
    class Elements(Message):
        elements: list[bytes] = _field("bytes", 1, repeated=True)

    class Subtrahend(Message):
        set: SetDifferenceRequest.Elements = _field("message", 1, oneof="subtrahend_set", of=lambda: SetDifferenceRequest.Elements())
        identity: Empty = _field("message", 2, oneof="subtrahend_set", of=lambda: Empty())

    name: bytes = _field("bytes", 1)
    minuend: SetDifferenceRequest.Elements = _field("message", 2, oneof="difference", of=lambda: SetDifferenceRequest.Elements())
    subtrahend: SetDifferenceRequest.Subtrahend = _field("message", 3, oneof="difference", of=lambda: SetDifferenceRequest.Subtrahend())


class SetDifferenceResponse(Message):
    found: Empty = _field("message", 1, oneof="outcome", of=lambda: Empty())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SetContainsRequest(Message):
    name: bytes = _field("bytes", 1)
    elements: list[bytes] = _field("bytes", 2, repeated=True)


class SetContainsResponse(Message):
    class Found(Message):
        contains: list[bool] = _field("bool", 1, repeated=True)

    found: SetContainsResponse.Found = _field("message", 1, oneof="outcome", of=lambda: SetContainsResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SetLengthRequest(Message):
    name: bytes = _field("bytes", 1)


class SetLengthResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SetPopRequest(Message):
    name: bytes = _field("bytes", 1)
    count: int = _field("uint32", 2)


class SetPopResponse(Message):
    found: ElementsFound = _field("message", 1, oneof="outcome", of=lambda: ElementsFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ListPushFrontRequest(Message):
    name: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)
    refresh_ttl: bool = _field("bool", 4)
    truncate_back_to_size: int = _field("uint32", 5)


class ListPushFrontResponse(Message):
    length: int = _field("uint32", 1)


class ListPushBackRequest(Message):
    name: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)
    refresh_ttl: bool = _field("bool", 4)
    truncate_front_to_size: int = _field("uint32", 5)


class ListPushBackResponse(Message):
    length: int = _field("uint32", 1)


class ListConcatenateFrontRequest(Message):
    name: bytes = _field("bytes", 1)
    values: list[bytes] = _field("bytes", 2, repeated=True)
    ttl_ms: int = _field("uint64", 3)
    refresh_ttl: bool = _field("bool", 4)
    truncate_back_to_size: int = _field("uint32", 5)


class ListConcatenateFrontResponse(Message):
    length: int = _field("uint32", 1)


class ListConcatenateBackRequest(Message):
    name: bytes = _field("bytes", 1)
    values: list[bytes] = _field("bytes", 2, repeated=True)
    ttl_ms: int = _field("uint64", 3)
    refresh_ttl: bool = _field("bool", 4)
    truncate_front_to_size: int = _field("uint32", 5)


class ListConcatenateBackResponse(Message):
    length: int = _field("uint32", 1)


class ListPopFrontRequest(Message):
    name: bytes = _field("bytes", 1)


class ListPopFrontResponse(Message):
    class Found(Message):
        value: bytes = _field("bytes", 1)
        length: int = _field("uint32", 2)

    found: ListPopFrontResponse.Found = _field("message", 1, oneof="outcome", of=lambda: ListPopFrontResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ListPopBackRequest(Message):
    name: bytes = _field("bytes", 1)


class ListPopBackResponse(Message):
    class Found(Message):
        value: bytes = _field("bytes", 1)
        length: int = _field("uint32", 2)

    found: ListPopBackResponse.Found = _field("message", 1, oneof="outcome", of=lambda: ListPopBackResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ListFetchRequest(Message):
    name: bytes = _field("bytes", 1)
    unbounded_start: Empty = _field("message", 2, oneof="start", of=lambda: Empty())
    inclusive_start: int = _field("sint32", 3, oneof="start")
    unbounded_end: Empty = _field("message", 4, oneof="end", of=lambda: Empty())
    exclusive_end: int = _field("sint32", 5, oneof="end")


class ListFetchResponse(Message):
    found: ElementsFound = _field("message", 1, oneof="outcome", of=lambda: ElementsFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ListRetainRequest(Message):
    name: bytes = _field("bytes", 1)
    unbounded_start: Empty = _field("message", 2, oneof="start", of=lambda: Empty())
    inclusive_start: int = _field("sint32", 3, oneof="start")
    unbounded_end: Empty = _field("message", 4, oneof="end", of=lambda: Empty())
    exclusive_end: int = _field("sint32", 5, oneof="end")
    ttl_ms: int = _field("uint64", 6)
    refresh_ttl: bool = _field("bool", 7)


class ListRetainResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ListRemoveRequest(Message):
    name: bytes = _field("bytes", 1)
    all_with_value: bytes = _field("bytes", 2, oneof="elements")


class ListRemoveResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ListEraseRequest(Message):
    class Some(Message):
        ranges: list[ListEraseRequest.Range] = _field("message", 1, repeated=True, of=lambda: ListEraseRequest.Range())

    class Range(Message):
        begin: int = _field("uint32", 1)
        count: int = _field("uint32", 2)

    name: bytes = _field("bytes", 1)
    some: ListEraseRequest.Some = _field("message", 2, oneof="elements", of=lambda: ListEraseRequest.Some())
    all: Empty = _field("message", 3, oneof="elements", of=lambda: Empty())


class ListEraseResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class ListLengthRequest(Message):
    name: bytes = _field("bytes", 1)


class ListLengthResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SortedSetElement(Message):
    value: bytes = _field("bytes", 1)
    score: float = _field("double", 2)


class SortedSetPutRequest(Message):
    name: bytes = _field("bytes", 1)
    elements: list[SortedSetElement] = _field("message", 2, repeated=True, of=lambda: SortedSetElement())
    ttl_ms: int = _field("uint64", 3)
    refresh_ttl: bool = _field("bool", 4)


class SortedSetPutResponse(Message):
    pass


class SortedSetFetchRequest(Message):
    class ByIndex(Message):
        unbounded_start: Empty = _field("message", 1, oneof="start", of=lambda: Empty())
        inclusive_start: int = _field("sint32", 2, oneof="start")
        unbounded_end: Empty = _field("message", 3, oneof="end", of=lambda: Empty())
        exclusive_end: int = _field("sint32", 4, oneof="end")

    class ByScore(Message):
        unbounded_min: Empty = _field("message", 1, oneof="min", of=lambda: Empty())
        min_score: SortedSetFetchRequest.Bound = _field("message", 2, oneof="min", of=lambda: SortedSetFetchRequest.Bound())
        unbounded_max: Empty = _field("message", 3, oneof="max", of=lambda: Empty())
        max_score: SortedSetFetchRequest.Bound = _field("message", 4, oneof="max", of=lambda: SortedSetFetchRequest.Bound())
        offset: int = _field("uint32", 5)
        count: int = _field("sint32", 6)

    class Bound(Message):
        score: float = _field("double", 1)
        exclusive: bool = _field("bool", 2)

    name: bytes = _field("bytes", 1)
    order: int = _field("enum", 2)
    with_scores: bool = _field("bool", 3)
    by_index: SortedSetFetchRequest.ByIndex = _field("message", 4, oneof="range", of=lambda: SortedSetFetchRequest.ByIndex())
    by_score: SortedSetFetchRequest.ByScore = _field("message", 5, oneof="range", of=lambda: SortedSetFetchRequest.ByScore())


class SortedSetFetchResponse(Message):
    class Found(Message):
        with_scores: SortedSetFetchResponse.WithScores = _field("message", 1, oneof="elements", of=lambda: SortedSetFetchResponse.WithScores())
        values: SortedSetFetchResponse.Values = _field("message", 2, oneof="elements", of=lambda: SortedSetFetchResponse.Values())

    class WithScores(Message):
        elements: list[SortedSetElement] = _field("message", 1, repeated=True, of=lambda: SortedSetElement())

    class Values(Message):
        values: list[bytes] = _field("bytes", 1, repeated=True)

    found: SortedSetFetchResponse.Found = _field("message", 1, oneof="outcome", of=lambda: SortedSetFetchResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SortedSetGetScoreRequest(Message):
    name: bytes = _field("bytes", 1)
    values: list[bytes] = _field("bytes", 2, repeated=True)


class SortedSetGetScoreResponse(Message):
    class Found(Message):
        parts: list[SortedSetGetScoreResponse.Part] = _field("message", 1, repeated=True, of=lambda: SortedSetGetScoreResponse.Part())

    class Part(Message):
        result: int = _field("enum", 1)
        score: float = _field("double", 2)

    found: SortedSetGetScoreResponse.Found = _field("message", 1, oneof="outcome", of=lambda: SortedSetGetScoreResponse.Found())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SortedSetGetRankRequest(Message):
    name: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    order: int = _field("enum", 3)


class SortedSetGetRankResponse(Message):
    class Part(Message):
        result: int = _field("enum", 1)
        rank: int = _field("uint64", 2)

    part: SortedSetGetRankResponse.Part = _field("message", 1, oneof="outcome", of=lambda: SortedSetGetRankResponse.Part())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SortedSetIncrementRequest(Message):
    name: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    amount: float = _field("double", 3)
    ttl_ms: int = _field("uint64", 4)
    refresh_ttl: bool = _field("bool", 5)


class SortedSetIncrementResponse(Message):
    score: float = _field("double", 1)


class SortedSetRemoveRequest(Message):
    class Some(Message):
        values: list[bytes] = _field("bytes", 1, repeated=True)

    name: bytes = _field("bytes", 1)
    all: Empty = _field("message", 2, oneof="elements", of=lambda: Empty())
    some: SortedSetRemoveRequest.Some = _field("message", 3, oneof="elements", of=lambda: SortedSetRemoveRequest.Some())


class SortedSetRemoveResponse(Message):
    pass


class SortedSetLengthRequest(Message):
    name: bytes = _field("bytes", 1)


class SortedSetLengthResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SortedSetLengthByScoreRequest(Message):
    name: bytes = _field("bytes", 1)
    inclusive_min: float = _field("double", 2, oneof="min")
    exclusive_min: float = _field("double", 3, oneof="min")
    unbounded_min: Empty = _field("message", 4, oneof="min", of=lambda: Empty())
    inclusive_max: float = _field("double", 5, oneof="max")
    exclusive_max: float = _field("double", 6, oneof="max")
    unbounded_max: Empty = _field("message", 7, oneof="max", of=lambda: Empty())


class SortedSetLengthByScoreResponse(Message):
    found: LengthFound = _field("message", 1, oneof="outcome", of=lambda: LengthFound())
    missing: Empty = _field("message", 2, oneof="outcome", of=lambda: Empty())


class SortedSetUnionStoreRequest(Message):
    # Aggregate
    SUM = 0
    MIN = 1
    MAX = 2

    class Source(Message):
        name: bytes = _field("bytes", 1)
        weight: float = _field("float", 2)

    name: bytes = _field("bytes", 1)
    sources: list[SortedSetUnionStoreRequest.Source] = _field("message", 2, repeated=True, of=lambda: SortedSetUnionStoreRequest.Source())
    aggregate: int = _field("enum", 3)
    ttl_ms: int = _field("uint64", 4)


class SortedSetUnionStoreResponse(Message):
    length: int = _field("uint32", 1)
