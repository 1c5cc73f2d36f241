"""Calls on dictionaries (protocol/spec/dictionary.md)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.testing.contents import Dictionary
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import invalid
from larder_cache._internal.testing.rules import BESIDE_FIELD, check_answer, check_elements, check_key
from larder_cache._internal.testing.scalar_calls import added

_NONE = pb.Empty()


def _check_fields(fields: Iterable[bytes]) -> None:
    if not all(fields):
        raise invalid("a dictionary field is empty; it must have at least 1 byte")


def get(items: Items, q: pb.DictionaryGetRequest) -> pb.DictionaryGetResponse:
    check_elements(q.name, q.fields, len(q.fields))
    _check_fields(q.fields)
    found = items.open(q.name, Dictionary)
    if found is None:
        return pb.DictionaryGetResponse(missing=_NONE)
    check_answer((found.get(field, b"") for field in q.fields), len(q.fields), BESIDE_FIELD)
    values = [found.get(field) for field in q.fields]
    parts = [
        pb.DictionaryGetResponse.Part(result=pb.Miss if value is None else pb.Hit, value=value or b"")
        for value in values
    ]
    return pb.DictionaryGetResponse(found=pb.DictionaryGetResponse.Found(parts=parts))


def fetch(items: Items, q: pb.DictionaryFetchRequest) -> pb.DictionaryFetchResponse:
    found = items.open(q.name, Dictionary)
    if found is None:
        return pb.DictionaryFetchResponse(missing=_NONE)
    check_answer(chain(found, found.values()), len(found), BESIDE_FIELD)
    told = [pb.DictionaryItem(field=field, value=value) for field, value in found.items()]
    return pb.DictionaryFetchResponse(found=pb.DictionaryFetchResponse.Found(items=told))


def set(items: Items, q: pb.DictionarySetRequest) -> pb.DictionarySetResponse:
    fields, values = [each.field for each in q.items], [each.value for each in q.items]
    check_elements(q.name, chain(fields, values), len(fields))
    _check_fields(fields)
    items.ttl.check(q.ttl_ms)
    changed = items.open(q.name, Dictionary) or Dictionary()
    changed.update(zip(fields, values))
    items.settle(q.name, changed, q.ttl_ms, refresh=q.refresh_ttl)
    return pb.DictionarySetResponse()


def increment(items: Items, q: pb.DictionaryIncrementRequest) -> pb.DictionaryIncrementResponse:
    check_elements(q.name, [q.field], 1)
    _check_fields([q.field])
    items.ttl.check(q.ttl_ms)
    changed = items.open(q.name, Dictionary) or Dictionary()
    total = added(changed.get(q.field), q.amount)
    changed[q.field] = str(total).encode()
    items.settle(q.name, changed, q.ttl_ms, refresh=q.refresh_ttl)
    return pb.DictionaryIncrementResponse(value=total)


def delete(items: Items, q: pb.DictionaryDeleteRequest) -> pb.DictionaryDeleteResponse:
    check_key(q.name)
    match q.WhichOneof("fields"):
        case "some":
            check_elements(q.name, q.some.fields, len(q.some.fields))
            _check_fields(q.some.fields)
            found = items.open(q.name, Dictionary)
            if found is not None:
                for field in q.some.fields:
                    found.pop(field, None)
                items.settle(q.name, found, 0, refresh=False)
        case "all":
            if items.open(q.name, Dictionary) is not None:
                items.remove(q.name)
        case _:
            raise invalid("the request selects no fields")
    return pb.DictionaryDeleteResponse()


def length(items: Items, q: pb.DictionaryLengthRequest) -> pb.DictionaryLengthResponse:
    found = items.open(q.name, Dictionary)
    if found is None:
        return pb.DictionaryLengthResponse(missing=_NONE)
    return pb.DictionaryLengthResponse(found=pb.LengthFound(length=len(found)))
