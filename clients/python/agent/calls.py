# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The operations of conformance/AGENT.md that make one client call each."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from agent import lists
from agent.fields import data, shown, timeout, ttl
from larder_cache import CacheClient, CacheResults, SortedSetAggregate, SortedSetOrder
from larder_cache import responses as r

# For each operation name, the function that runs the operation. Its arguments are the cache and the request.
DATA: dict[str, Callable[[CacheResults, dict[str, Any]], Awaitable[Any]]] = {
    "get": lambda c, q: c.get(data(q, "key")),
    "set": lambda c, q: c.set(data(q, "key"), data(q, "value"), ttl=ttl(q)),
    "delete": lambda c, q: c.delete(data(q, "key")),
    "increment": lambda c, q: c.increment(
        data(q, "key"), int(q.get("amount", 1)), ttl=ttl(q), keep_ttl=bool(q.get("keepTtl"))
    ),
    "itemGetTtl": lambda c, q: c.item_get_ttl(data(q, "key")),
    "itemGetType": lambda c, q: c.item_get_type(data(q, "key")),
    "getWithHash": lambda c, q: c.get_with_hash(data(q, "key")),
    "updateTtl": lambda c, q: c.update_ttl(data(q, "key"), ttl(q) or 0),
    "increaseTtl": lambda c, q: c.increase_ttl(data(q, "key"), ttl(q) or 0),
    "decreaseTtl": lambda c, q: c.decrease_ttl(data(q, "key"), ttl(q) or 0),
    "updateTtlIfPrefix": lambda c, q: c.update_ttl_if_prefix(data(q, "key"), data(q, "prefix"), ttl=ttl(q)),
    "setIfAbsent": lambda c, q: c.set_if_absent(data(q, "key"), data(q, "value"), ttl=ttl(q)),
    "setIfPresent": lambda c, q: c.set_if_present(data(q, "key"), data(q, "value"), ttl=ttl(q)),
    "setIfEqual": lambda c, q: c.set_if_equal(data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q)),
    "setIfNotEqual": lambda c, q: c.set_if_not_equal(data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q)),
    "setIfPresentAndNotEqual": lambda c, q: c.set_if_present_and_not_equal(
        data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q)
    ),
    "setIfAbsentOrEqual": lambda c, q: c.set_if_absent_or_equal(
        data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q)
    ),
    "setIfPresentAndHashEqual": lambda c, q: c.set_if_present_and_hash_equal(
        data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q)
    ),
    "setIfPresentAndNotHashEqual": lambda c, q: c.set_if_present_and_not_hash_equal(
        data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q)
    ),
    "setIfAbsentOrHashEqual": lambda c, q: c.set_if_absent_or_hash_equal(
        data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q)
    ),
    "setIfAbsentOrNotHashEqual": lambda c, q: c.set_if_absent_or_not_hash_equal(
        data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q)
    ),
    "setWithHash": lambda c, q: c.set_with_hash(data(q, "key"), data(q, "value"), ttl=ttl(q)),
    "dictionaryGet": lambda c, q: c.dictionary_get(data(q, "key"), lists.elements(q, "fields")),
    "dictionaryFetch": lambda c, q: c.dictionary_fetch(data(q, "key")),
    "dictionarySet": lambda c, q: c.dictionary_set(
        data(q, "key"), lists.items(q, "items"), ttl=lists.collection_ttl(q)
    ),
    "dictionaryIncrement": lambda c, q: c.dictionary_increment(
        data(q, "key"), data(q, "field"), int(q.get("amount", 1)), ttl=lists.collection_ttl(q)
    ),
    "dictionaryDelete": lambda c, q: c.dictionary_delete(data(q, "key")),
    "dictionaryRemove": lambda c, q: c.dictionary_remove(data(q, "key"), lists.elements(q, "fields")),
    "dictionaryLength": lambda c, q: c.dictionary_length(data(q, "key")),
    "setFetch": lambda c, q: c.set_fetch(data(q, "key")),
    "setSample": lambda c, q: c.set_sample(data(q, "key"), int(q["limit"])),
    "setUnion": lambda c, q: c.set_union(data(q, "key"), lists.elements(q, "elements"), ttl=lists.collection_ttl(q)),
    "setDifference": lambda c, q: c.set_difference(data(q, "key"), lists.elements(q, "elements")),
    "setDifferenceFrom": lambda c, q: c.set_difference_from(data(q, "key"), lists.elements(q, "elements")),
    "setContains": lambda c, q: c.set_contains(data(q, "key"), lists.elements(q, "elements")),
    "setLength": lambda c, q: c.set_length(data(q, "key")),
    "setPop": lambda c, q: c.set_pop(data(q, "key"), int(q.get("count", 1))),
    "listPushFront": lambda c, q: c.list_push_front(
        data(q, "key"),
        data(q, "value"),
        truncate_back_to_size=int(q.get("truncateBackToSize", 0)),
        ttl=lists.collection_ttl(q),
    ),
    "listPushBack": lambda c, q: c.list_push_back(
        data(q, "key"),
        data(q, "value"),
        truncate_front_to_size=int(q.get("truncateFrontToSize", 0)),
        ttl=lists.collection_ttl(q),
    ),
    "listConcatenateFront": lambda c, q: c.list_concatenate_front(
        data(q, "key"),
        lists.elements(q, "values"),
        truncate_back_to_size=int(q.get("truncateBackToSize", 0)),
        ttl=lists.collection_ttl(q),
    ),
    "listConcatenateBack": lambda c, q: c.list_concatenate_back(
        data(q, "key"),
        lists.elements(q, "values"),
        truncate_front_to_size=int(q.get("truncateFrontToSize", 0)),
        ttl=lists.collection_ttl(q),
    ),
    "listPopFront": lambda c, q: c.list_pop_front(data(q, "key")),
    "listPopBack": lambda c, q: c.list_pop_back(data(q, "key")),
    "listFetch": lambda c, q: c.list_fetch(data(q, "key"), start=q.get("start"), end=q.get("end")),
    "listRetain": lambda c, q: c.list_retain(
        data(q, "key"), start=q.get("start"), end=q.get("end"), ttl=lists.collection_ttl(q)
    ),
    "listRemove": lambda c, q: c.list_remove(data(q, "key"), data(q, "value")),
    "listErase": lambda c, q: c.list_erase(data(q, "key"), lists.ranges(q, "ranges")),
    "listLength": lambda c, q: c.list_length(data(q, "key")),
    "sortedSetPut": lambda c, q: c.sorted_set_put(
        data(q, "key"), lists.scored(q, "elements"), ttl=lists.collection_ttl(q)
    ),
    "sortedSetFetchByRank": lambda c, q: c.sorted_set_fetch_by_rank(
        data(q, "key"), order=lists.choice(q, "order", SortedSetOrder.ASCENDING), start=q.get("start"), end=q.get("end")
    ),
    "sortedSetFetchByScore": lambda c, q: c.sorted_set_fetch_by_score(
        data(q, "key"),
        order=lists.choice(q, "order", SortedSetOrder.ASCENDING),
        min=lists.bound(q, "min"),
        max=lists.bound(q, "max"),
        offset=int(q.get("offset", 0)),
        count=int(q.get("count", -1)),
    ),
    "sortedSetGetScore": lambda c, q: c.sorted_set_get_score(data(q, "key"), lists.elements(q, "elements")),
    "sortedSetGetRank": lambda c, q: c.sorted_set_get_rank(
        data(q, "key"), data(q, "element"), order=lists.choice(q, "order", SortedSetOrder.ASCENDING)
    ),
    "sortedSetIncrement": lambda c, q: c.sorted_set_increment(
        data(q, "key"), data(q, "element"), lists.score(q.get("amount", 1)), ttl=lists.collection_ttl(q)
    ),
    "sortedSetRemove": lambda c, q: c.sorted_set_remove(data(q, "key"), lists.elements(q, "elements")),
    "sortedSetLength": lambda c, q: c.sorted_set_length(data(q, "key")),
    "sortedSetLengthByScore": lambda c, q: c.sorted_set_length_by_score(
        data(q, "key"), min=lists.bound(q, "min"), max=lists.bound(q, "max")
    ),
    "sortedSetUnionStore": lambda c, q: c.sorted_set_union_store(
        data(q, "key"),
        lists.sources(q, "sources"),
        aggregate=lists.choice(q, "aggregate", SortedSetAggregate.SUM),
        ttl=ttl(q),
    ),
}

# For each operation of the client itself, the function that runs it. Its arguments are the client, the name of the
# cache and the request.
CONTROL: dict[str, Callable[[CacheClient, str, dict[str, Any]], Awaitable[Any]]] = {
    "createCache": lambda c, name, q: c.create_cache(name, timeout_s=timeout(q)),
    "deleteCache": lambda c, name, q: c.delete_cache(name, timeout_s=timeout(q)),
    "flushCache": lambda c, name, q: c.flush_cache(name, timeout_s=timeout(q)),
    "ping": lambda c, name, q: c.ping(timeout_s=timeout(q)),
}


def answer_of(response: Any) -> dict[str, Any] | None:
    """Return the fields for a response. Returns None for a response type that other operations also return."""
    match response:
        case r.Incremented(value):
            return {"result": "success", "number": str(value)}
        case r.RemainingTtl(remaining_ttl_ms):
            return {"result": "found", "remainingTtlMs": remaining_ttl_ms}
        case r.FoundType(type):
            return {"result": "found", "type": type.value}
        case r.FoundWithHash(value, hash):
            return {"result": "found", **shown("value", value), "hashBase64": base64.b64encode(hash).decode()}
        case r.TtlSet():
            return {"result": "set"}
        case r.TtlNotSet():
            return {"result": "notSet"}
        case r.PrefixDiffers(prefix):
            return {"result": "different", **shown("prefix", prefix)}
        case r.StoredWithHash(hash):
            return {"result": "stored", "hashBase64": base64.b64encode(hash).decode()}
        case r.DictionaryGetHit(values):
            return {"result": "hit", "values": lists.told(values)}
        case r.DictionaryFetchHit(items):
            return {"result": "hit", "items": lists.told(items)}
        case r.DictionaryIncrementSuccess(value):
            return {"result": "success", "number": str(value)}
        case r.DictionaryLengthHit(length):
            return {"result": "hit", "length": length}
        case r.SetFetchHit(elements):
            return {"result": "hit", "elements": lists.told(elements)}
        case r.SetSampleHit(elements):
            return {"result": "hit", "elements": lists.told(elements)}
        case r.SetDifferenceHit():
            return {"result": "hit"}
        case r.SetContainsHit(contains):
            return {"result": "hit", "contains": contains}
        case r.SetLengthHit(length):
            return {"result": "hit", "length": length}
        case r.SetPopHit(elements):
            return {"result": "hit", "elements": lists.told(elements)}
        case r.ListPushFrontSuccess(length):
            return {"result": "success", "length": length}
        case r.ListPushBackSuccess(length):
            return {"result": "success", "length": length}
        case r.ListConcatenateFrontSuccess(length):
            return {"result": "success", "length": length}
        case r.ListConcatenateBackSuccess(length):
            return {"result": "success", "length": length}
        case r.ListPopFrontHit(value, length):
            return {"result": "hit", **shown("value", value), "length": length}
        case r.ListPopBackHit(value, length):
            return {"result": "hit", **shown("value", value), "length": length}
        case r.ListFetchHit(values):
            return {"result": "hit", "values": lists.told(values)}
        case r.ListRetainHit(length):
            return {"result": "hit", "length": length}
        case r.ListRemoveHit(length):
            return {"result": "hit", "length": length}
        case r.ListEraseHit(length):
            return {"result": "hit", "length": length}
        case r.ListLengthHit(length):
            return {"result": "hit", "length": length}
        case r.SortedSetFetchHit(elements):
            return {"result": "hit", "elements": lists.told(elements)}
        case r.SortedSetGetScoreHit(scores):
            return {"result": "hit", "scores": lists.told(scores)}
        case r.SortedSetGetRankHit(rank):
            return {"result": "hit", "rank": rank}
        case r.SortedSetIncrementSuccess(score):
            return {"result": "success", "score": lists.told(score)}
        case r.SortedSetLengthHit(length):
            return {"result": "hit", "length": length}
        case r.SortedSetLengthByScoreHit(length):
            return {"result": "hit", "length": length}
        case r.SortedSetUnionStoreSuccess(length):
            return {"result": "success", "length": length}
        case _:
            return None
