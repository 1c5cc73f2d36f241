# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The operations of conformance/AGENT.md that are one call of the client each."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from agent import lists
from agent.fields import data, shown, timeout, ttl
from larder_cache import CacheClient, SortedSetAggregate, SortedSetOrder
from larder_cache import responses as r


def calls(c: CacheClient) -> dict[str, Callable[[str, dict[str, Any]], Awaitable[Any]]]:
    """Return op → what runs it, given the cache and the request."""
    return {
        "get": lambda cache, q: c.get(cache, data(q, "key"), timeout_s=timeout(q)),
        "set": lambda cache, q: c.set(cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)),
        "delete": lambda cache, q: c.delete(cache, data(q, "key"), timeout_s=timeout(q)),
        "increment": lambda cache, q: c.increment(
            cache,
            data(q, "key"),
            int(q.get("amount", 1)),
            ttl=ttl(q),
            keep_ttl=bool(q.get("keepTtl")),
            timeout_s=timeout(q),
        ),
        "itemGetTtl": lambda cache, q: c.item_get_ttl(cache, data(q, "key"), timeout_s=timeout(q)),
        "itemGetType": lambda cache, q: c.item_get_type(cache, data(q, "key"), timeout_s=timeout(q)),
        "getWithHash": lambda cache, q: c.get_with_hash(cache, data(q, "key"), timeout_s=timeout(q)),
        "updateTtl": lambda cache, q: c.update_ttl(cache, data(q, "key"), ttl(q) or 0, timeout_s=timeout(q)),
        "increaseTtl": lambda cache, q: c.increase_ttl(cache, data(q, "key"), ttl(q) or 0, timeout_s=timeout(q)),
        "decreaseTtl": lambda cache, q: c.decrease_ttl(cache, data(q, "key"), ttl(q) or 0, timeout_s=timeout(q)),
        "updateTtlIfPrefix": lambda cache, q: c.update_ttl_if_prefix(
            cache, data(q, "key"), data(q, "prefix"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfAbsent": lambda cache, q: c.set_if_absent(
            cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresent": lambda cache, q: c.set_if_present(
            cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfEqual": lambda cache, q: c.set_if_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfNotEqual": lambda cache, q: c.set_if_not_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresentAndNotEqual": lambda cache, q: c.set_if_present_and_not_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfAbsentOrEqual": lambda cache, q: c.set_if_absent_or_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresentAndHashEqual": lambda cache, q: c.set_if_present_and_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresentAndNotHashEqual": lambda cache, q: c.set_if_present_and_not_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfAbsentOrHashEqual": lambda cache, q: c.set_if_absent_or_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfAbsentOrNotHashEqual": lambda cache, q: c.set_if_absent_or_not_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setWithHash": lambda cache, q: c.set_with_hash(
            cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "dictionaryGet": lambda cache, q: c.dictionary_get(
            cache, data(q, "key"), lists.elements(q, "fields"), timeout_s=timeout(q)
        ),
        "dictionaryFetch": lambda cache, q: c.dictionary_fetch(cache, data(q, "key"), timeout_s=timeout(q)),
        "dictionarySet": lambda cache, q: c.dictionary_set(
            cache, data(q, "key"), lists.items(q, "items"), ttl=lists.collection_ttl(q), timeout_s=timeout(q)
        ),
        "dictionaryIncrement": lambda cache, q: c.dictionary_increment(
            cache,
            data(q, "key"),
            data(q, "field"),
            int(q.get("amount", 1)),
            ttl=lists.collection_ttl(q),
            timeout_s=timeout(q),
        ),
        "dictionaryDelete": lambda cache, q: c.dictionary_delete(cache, data(q, "key"), timeout_s=timeout(q)),
        "dictionaryRemove": lambda cache, q: c.dictionary_remove(
            cache, data(q, "key"), lists.elements(q, "fields"), timeout_s=timeout(q)
        ),
        "dictionaryLength": lambda cache, q: c.dictionary_length(cache, data(q, "key"), timeout_s=timeout(q)),
        "setFetch": lambda cache, q: c.set_fetch(cache, data(q, "key"), timeout_s=timeout(q)),
        "setSample": lambda cache, q: c.set_sample(cache, data(q, "key"), int(q["limit"]), timeout_s=timeout(q)),
        "setUnion": lambda cache, q: c.set_union(
            cache, data(q, "key"), lists.elements(q, "elements"), ttl=lists.collection_ttl(q), timeout_s=timeout(q)
        ),
        "setDifference": lambda cache, q: c.set_difference(
            cache, data(q, "key"), lists.elements(q, "elements"), timeout_s=timeout(q)
        ),
        "setDifferenceFrom": lambda cache, q: c.set_difference_from(
            cache, data(q, "key"), lists.elements(q, "elements"), timeout_s=timeout(q)
        ),
        "setContains": lambda cache, q: c.set_contains(
            cache, data(q, "key"), lists.elements(q, "elements"), timeout_s=timeout(q)
        ),
        "setLength": lambda cache, q: c.set_length(cache, data(q, "key"), timeout_s=timeout(q)),
        "setPop": lambda cache, q: c.set_pop(cache, data(q, "key"), int(q.get("count", 1)), timeout_s=timeout(q)),
        "listPushFront": lambda cache, q: c.list_push_front(
            cache,
            data(q, "key"),
            data(q, "value"),
            truncate_back_to_size=int(q.get("truncateBackToSize", 0)),
            ttl=lists.collection_ttl(q),
            timeout_s=timeout(q),
        ),
        "listPushBack": lambda cache, q: c.list_push_back(
            cache,
            data(q, "key"),
            data(q, "value"),
            truncate_front_to_size=int(q.get("truncateFrontToSize", 0)),
            ttl=lists.collection_ttl(q),
            timeout_s=timeout(q),
        ),
        "listConcatenateFront": lambda cache, q: c.list_concatenate_front(
            cache,
            data(q, "key"),
            lists.elements(q, "values"),
            truncate_back_to_size=int(q.get("truncateBackToSize", 0)),
            ttl=lists.collection_ttl(q),
            timeout_s=timeout(q),
        ),
        "listConcatenateBack": lambda cache, q: c.list_concatenate_back(
            cache,
            data(q, "key"),
            lists.elements(q, "values"),
            truncate_front_to_size=int(q.get("truncateFrontToSize", 0)),
            ttl=lists.collection_ttl(q),
            timeout_s=timeout(q),
        ),
        "listPopFront": lambda cache, q: c.list_pop_front(cache, data(q, "key"), timeout_s=timeout(q)),
        "listPopBack": lambda cache, q: c.list_pop_back(cache, data(q, "key"), timeout_s=timeout(q)),
        "listFetch": lambda cache, q: c.list_fetch(
            cache, data(q, "key"), start=q.get("start"), end=q.get("end"), timeout_s=timeout(q)
        ),
        "listRetain": lambda cache, q: c.list_retain(
            cache,
            data(q, "key"),
            start=q.get("start"),
            end=q.get("end"),
            ttl=lists.collection_ttl(q),
            timeout_s=timeout(q),
        ),
        "listRemove": lambda cache, q: c.list_remove(cache, data(q, "key"), data(q, "value"), timeout_s=timeout(q)),
        "listErase": lambda cache, q: c.list_erase(
            cache, data(q, "key"), lists.ranges(q, "ranges"), timeout_s=timeout(q)
        ),
        "listLength": lambda cache, q: c.list_length(cache, data(q, "key"), timeout_s=timeout(q)),
        "sortedSetPut": lambda cache, q: c.sorted_set_put(
            cache, data(q, "key"), lists.scored(q, "elements"), ttl=lists.collection_ttl(q), timeout_s=timeout(q)
        ),
        "sortedSetFetchByRank": lambda cache, q: c.sorted_set_fetch_by_rank(
            cache,
            data(q, "key"),
            order=lists.choice(q, "order", SortedSetOrder.ASCENDING),
            start=q.get("start"),
            end=q.get("end"),
            timeout_s=timeout(q),
        ),
        "sortedSetFetchByScore": lambda cache, q: c.sorted_set_fetch_by_score(
            cache,
            data(q, "key"),
            order=lists.choice(q, "order", SortedSetOrder.ASCENDING),
            min=lists.bound(q, "min"),
            max=lists.bound(q, "max"),
            offset=int(q.get("offset", 0)),
            count=int(q.get("count", -1)),
            timeout_s=timeout(q),
        ),
        "sortedSetGetScore": lambda cache, q: c.sorted_set_get_score(
            cache, data(q, "key"), lists.elements(q, "elements"), timeout_s=timeout(q)
        ),
        "sortedSetGetRank": lambda cache, q: c.sorted_set_get_rank(
            cache,
            data(q, "key"),
            data(q, "element"),
            order=lists.choice(q, "order", SortedSetOrder.ASCENDING),
            timeout_s=timeout(q),
        ),
        "sortedSetIncrement": lambda cache, q: c.sorted_set_increment(
            cache,
            data(q, "key"),
            data(q, "element"),
            lists.score(q.get("amount", 1)),
            ttl=lists.collection_ttl(q),
            timeout_s=timeout(q),
        ),
        "sortedSetRemove": lambda cache, q: c.sorted_set_remove(
            cache, data(q, "key"), lists.elements(q, "elements"), timeout_s=timeout(q)
        ),
        "sortedSetLength": lambda cache, q: c.sorted_set_length(cache, data(q, "key"), timeout_s=timeout(q)),
        "sortedSetLengthByScore": lambda cache, q: c.sorted_set_length_by_score(
            cache, data(q, "key"), min=lists.bound(q, "min"), max=lists.bound(q, "max"), timeout_s=timeout(q)
        ),
        "sortedSetUnionStore": lambda cache, q: c.sorted_set_union_store(
            cache,
            data(q, "key"),
            lists.sources(q, "sources"),
            aggregate=lists.choice(q, "aggregate", SortedSetAggregate.SUM),
            ttl=ttl(q),
            timeout_s=timeout(q),
        ),
        "createCache": lambda cache, q: c.create_cache(cache, timeout_s=timeout(q)),
        "deleteCache": lambda cache, q: c.delete_cache(cache, timeout_s=timeout(q)),
        "flushCache": lambda cache, q: c.flush_cache(cache, timeout_s=timeout(q)),
        "ping": lambda cache, q: c.ping(timeout_s=timeout(q)),
    }


def answer_of(response: Any) -> dict[str, Any] | None:
    """Return an answer's line; None for one that is not of these operations alone."""
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
