"""Calls on sets (protocol/spec/set-collection.md)."""

from __future__ import annotations

import random

from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.testing.contents import ElementSet
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import invalid
from larder_cache._internal.testing.rules import BESIDE_ELEMENT, check_answer, check_elements, check_key

_NONE = pb.Empty()
_NO_CHOICE = "the request selects no elements"


def fetch(items: Items, q: pb.SetFetchRequest) -> pb.SetFetchResponse:
    found = items.open(q.name, ElementSet)
    if found is None:
        return pb.SetFetchResponse(missing=_NONE)
    check_answer(found, len(found), BESIDE_ELEMENT)
    return pb.SetFetchResponse(found=pb.ElementsFound(elements=list(found)))


def _some(found: ElementSet, count: int) -> list[bytes]:
    chosen = random.sample(list(found), min(count, len(found)))
    check_answer(chosen, len(chosen), BESIDE_ELEMENT)
    return chosen


def sample(items: Items, q: pb.SetSampleRequest) -> pb.SetSampleResponse:
    found = items.open(q.name, ElementSet)
    if found is None:
        return pb.SetSampleResponse(missing=_NONE)
    return pb.SetSampleResponse(found=pb.ElementsFound(elements=_some(found, q.limit)))


def pop(items: Items, q: pb.SetPopRequest) -> pb.SetPopResponse:
    check_key(q.name)
    if not q.count:
        raise invalid("the count must be at least 1, but is 0")
    found = items.open(q.name, ElementSet)
    if found is None:
        return pb.SetPopResponse(missing=_NONE)
    chosen = _some(found, q.count)
    for each in chosen:
        del found[each]
    items.settle(q.name, found, 0, refresh=False)
    return pb.SetPopResponse(found=pb.ElementsFound(elements=chosen))


def union(items: Items, q: pb.SetUnionRequest) -> pb.SetUnionResponse:
    check_elements(q.name, q.elements, len(q.elements))
    items.ttl.check(q.ttl_ms)
    changed = items.open(q.name, ElementSet) or ElementSet()
    changed.update(dict.fromkeys(q.elements))
    items.settle(q.name, changed, q.ttl_ms, refresh=q.refresh_ttl)
    return pb.SetUnionResponse()


def difference(items: Items, q: pb.SetDifferenceRequest) -> pb.SetDifferenceResponse:
    check_key(q.name)
    kind = q.WhichOneof("difference")
    if kind == "subtrahend":
        kind = q.subtrahend.WhichOneof("subtrahend_set")
    if kind is None:
        raise invalid(_NO_CHOICE)
    given = q.minuend.elements if kind == "minuend" else q.subtrahend.set.elements
    check_elements(q.name, given, len(given))
    found = items.open(q.name, ElementSet)
    if found is None:
        return pb.SetDifferenceResponse(missing=_NONE)
    if kind == "minuend":
        left = [each for each in given if each not in found]
    elif kind == "set":
        gone = frozenset(given)
        left = [each for each in found if each not in gone]
    else:
        left = list[bytes]()
    found.clear()
    found.update(dict.fromkeys(left))
    items.settle(q.name, found, 0, refresh=False)
    return pb.SetDifferenceResponse(found=_NONE)


def contains(items: Items, q: pb.SetContainsRequest) -> pb.SetContainsResponse:
    check_elements(q.name, q.elements, len(q.elements))
    found = items.open(q.name, ElementSet)
    if found is None:
        return pb.SetContainsResponse(missing=_NONE)
    told = [each in found for each in q.elements]
    return pb.SetContainsResponse(found=pb.SetContainsResponse.Found(contains=told))


def length(items: Items, q: pb.SetLengthRequest) -> pb.SetLengthResponse:
    found = items.open(q.name, ElementSet)
    if found is None:
        return pb.SetLengthResponse(missing=_NONE)
    return pb.SetLengthResponse(found=pb.LengthFound(length=len(found)))
