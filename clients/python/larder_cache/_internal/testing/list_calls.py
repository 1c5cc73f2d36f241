"""Calls on lists (protocol/spec/list.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.testing.contents import ElementList
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import invalid
from larder_cache._internal.testing.rules import BESIDE_ELEMENT, check_answer, check_elements, check_key

_NONE = pb.Empty()
_Push = Union[
    pb.ListPushFrontRequest, pb.ListPushBackRequest, pb.ListConcatenateFrontRequest, pb.ListConcatenateBackRequest
]


def _push(items: Items, q: _Push, values: Sequence[bytes], *, front: bool, most: int) -> int:
    check_elements(q.name, values, len(values))
    items.ttl.check(q.ttl_ms)
    changed = items.open(q.name, ElementList) or ElementList()
    if front:
        changed.push_front(values)
    else:
        changed.push_back(values)
    if most and len(changed) > most:
        changed.keep(*((0, most) if front else (-most, None)))
    items.settle(q.name, changed, q.ttl_ms, refresh=q.refresh_ttl)
    return len(changed)


def push_front(items: Items, q: pb.ListPushFrontRequest) -> pb.ListPushFrontResponse:
    length = _push(items, q, [q.value], front=True, most=q.truncate_back_to_size)
    return pb.ListPushFrontResponse(length=length)


def push_back(items: Items, q: pb.ListPushBackRequest) -> pb.ListPushBackResponse:
    length = _push(items, q, [q.value], front=False, most=q.truncate_front_to_size)
    return pb.ListPushBackResponse(length=length)


def concatenate_front(items: Items, q: pb.ListConcatenateFrontRequest) -> pb.ListConcatenateFrontResponse:
    length = _push(items, q, q.values, front=True, most=q.truncate_back_to_size)
    return pb.ListConcatenateFrontResponse(length=length)


def concatenate_back(items: Items, q: pb.ListConcatenateBackRequest) -> pb.ListConcatenateBackResponse:
    length = _push(items, q, q.values, front=False, most=q.truncate_front_to_size)
    return pb.ListConcatenateBackResponse(length=length)


def _pop(items: Items, name: bytes, *, front: bool) -> tuple[bytes, int] | None:
    found = items.open(name, ElementList)
    if found is None:
        return None
    value = found.values[0 if front else -1]
    found.keep(*((1, None) if front else (None, -1)))
    items.settle(name, found, 0, refresh=False)
    return value, len(found)


def pop_front(items: Items, q: pb.ListPopFrontRequest) -> pb.ListPopFrontResponse:
    popped = _pop(items, q.name, front=True)
    if popped is None:
        return pb.ListPopFrontResponse(missing=_NONE)
    return pb.ListPopFrontResponse(found=pb.ListPopFrontResponse.Found(value=popped[0], length=popped[1]))


def pop_back(items: Items, q: pb.ListPopBackRequest) -> pb.ListPopBackResponse:
    popped = _pop(items, q.name, front=False)
    if popped is None:
        return pb.ListPopBackResponse(missing=_NONE)
    return pb.ListPopBackResponse(found=pb.ListPopBackResponse.Found(value=popped[0], length=popped[1]))


def _bounds(q: pb.ListFetchRequest | pb.ListRetainRequest) -> tuple[int | None, int | None]:
    # Python's slices follow the same rules: negative indices count from the end, and out-of-range indices are clamped
    # (LIST-5).
    start = q.inclusive_start if q.WhichOneof("start") == "inclusive_start" else None
    end = q.exclusive_end if q.WhichOneof("end") == "exclusive_end" else None
    return start, end


def fetch(items: Items, q: pb.ListFetchRequest) -> pb.ListFetchResponse:
    start, end = _bounds(q)
    found = items.open(q.name, ElementList)
    values = [] if found is None else found.values[start:end]
    if not values:
        return pb.ListFetchResponse(missing=_NONE)
    check_answer(values, len(values), BESIDE_ELEMENT)
    return pb.ListFetchResponse(found=pb.ElementsFound(elements=values))


def retain(items: Items, q: pb.ListRetainRequest) -> pb.ListRetainResponse:
    check_key(q.name)
    if q.refresh_ttl:
        items.ttl.check(q.ttl_ms)
    found = items.open(q.name, ElementList)
    if found is None:
        return pb.ListRetainResponse(missing=_NONE)
    found.keep(*_bounds(q))
    items.settle(q.name, found, q.ttl_ms, refresh=q.refresh_ttl)
    return pb.ListRetainResponse(found=pb.LengthFound(length=len(found)))


def remove(items: Items, q: pb.ListRemoveRequest) -> pb.ListRemoveResponse:
    check_elements(q.name, [q.all_with_value], 1)
    if q.WhichOneof("elements") is None:
        raise invalid("the request has no value to remove; set all_with_value")
    found = items.open(q.name, ElementList)
    if found is None:
        return pb.ListRemoveResponse(missing=_NONE)
    found.keep_at(place for place, value in enumerate(found.values) if value != q.all_with_value)
    items.settle(q.name, found, 0, refresh=False)
    return pb.ListRemoveResponse(found=pb.LengthFound(length=len(found)))


def erase(items: Items, q: pb.ListEraseRequest) -> pb.ListEraseResponse:
    check_key(q.name)
    kind = q.WhichOneof("elements")
    if kind is None:
        raise invalid("the request does not select any elements; set a selection")
    check_elements(q.name, [], len(q.some.ranges))
    found = items.open(q.name, ElementList)
    if found is None:
        return pb.ListEraseResponse(missing=_NONE)
    kept = [kind == "some"] * len(found)
    for each in q.some.ranges:
        end = min(each.begin + each.count, len(found))
        kept[each.begin : end] = [False] * max(end - each.begin, 0)
    found.keep_at(place for place, is_kept in enumerate(kept) if is_kept)
    items.settle(q.name, found, 0, refresh=False)
    return pb.ListEraseResponse(found=pb.LengthFound(length=len(found)))


def length(items: Items, q: pb.ListLengthRequest) -> pb.ListLengthResponse:
    found = items.open(q.name, ElementList)
    if found is None:
        return pb.ListLengthResponse(missing=_NONE)
    return pb.ListLengthResponse(found=pb.LengthFound(length=len(found)))
