"""Calls on scalar items, and calls on items of any type."""

from __future__ import annotations

import hashlib
import re

from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.operations._generated.messages import pipeline
from larder_cache._internal.testing.contents import TYPES
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import Refused, invalid
from larder_cache._internal.testing.rules import check_key
from larder_cache.errors import ErrorCode

_NONE = pb.Empty()
# The maximum size of the prefix in a conditional TTL update, in bytes (TTL-18).
_MAX_PREFIX_BYTES = 64
# The decimal text of a 64-bit integer has at most 20 characters.
_INTEGER = re.compile(rb"-?[0-9]{1,20}")


def hash_of(value: bytes) -> bytes:
    """Return the hash of a value. The hash has 16 bytes and depends only on the bytes of the value (HASH-2)."""
    return hashlib.blake2b(value, digest_size=16).digest()


def added(text: bytes | None, amount: int) -> int:
    """Add to a counter and return the sum.

    `text` is the stored value of the counter. None means that the counter does not exist and starts at 0.

    Raises Refused if `text` is not a 64-bit integer or the sum exceeds 64 bits (INC-4, INC-5, DICT-7).
    """
    start = 0
    if text is not None:
        if len(text) > 20 or _INTEGER.fullmatch(text) is None or not _is_64_bits(start := int(text)):
            why = "the value is not a 64-bit decimal integer, so it cannot be incremented"
            raise Refused(ErrorCode.FAILED_PRECONDITION, why)
    if not _is_64_bits(start + amount):
        why = "the increment would overflow a 64-bit integer; the value was not changed"
        raise Refused(ErrorCode.FAILED_PRECONDITION, why)
    return start + amount


def _is_64_bits(number: int) -> bool:
    return -(2**63) <= number < 2**63


def get(items: Items, q: pb.GetRequest) -> pb.GetResponse:
    value = items.scalar(q.key)
    return pb.GetResponse(result=pb.Miss) if value is None else pb.GetResponse(result=pb.Hit, value=value)


def get_with_hash(items: Items, q: pb.GetWithHashRequest) -> pb.GetWithHashResponse:
    value = items.scalar(q.key)
    if value is None:
        return pb.GetWithHashResponse(missing=_NONE)
    return pb.GetWithHashResponse(found=pb.GetWithHashResponse.Found(value=value, hash=hash_of(value)))


def get_batch(items: Items, q: pb.GetBatchRequest) -> pipeline.GetBatchResult:
    for each in q.items:
        check_key(each.key)
    return pipeline.GetBatchResult(responses=[get(items, each) for each in q.items])


def set(items: Items, q: pb.SetRequest) -> pb.SetResponse:
    items.ttl.check_item(q.key, q.value, q.ttl_ms)
    items.put(q.key, q.value, q.ttl_ms)
    return pb.SetResponse(result=pb.Ok)


def set_batch(items: Items, q: pb.SetBatchRequest) -> pipeline.SetBatchResult:
    for each in q.items:
        items.ttl.check_item(each.key, each.value, each.ttl_ms)
    return pipeline.SetBatchResult(responses=[set(items, each) for each in q.items])


def delete(items: Items, q: pb.DeleteRequest) -> pb.DeleteResponse:
    items.remove(q.key)
    return pb.DeleteResponse()


def keys_exist(items: Items, q: pb.KeysExistRequest) -> pb.KeysExistResponse:
    return pb.KeysExistResponse(exists=[items.find(key) is not None for key in q.keys])


def increment(items: Items, q: pb.IncrementRequest) -> pb.IncrementResponse:
    check_key(q.key)
    items.ttl.check(q.ttl_ms)
    total = added(items.scalar(q.key), q.amount)
    text, found = str(total).encode(), items.find(q.key)
    if found is not None and q.keep_ttl:
        found.content = text
    else:
        items.put(q.key, text, q.ttl_ms)
    return pb.IncrementResponse(value=total)


def set_if(items: Items, q: pb.SetIfRequest) -> pb.SetIfResponse:
    items.ttl.check_item(q.key, q.value, q.ttl_ms)
    match q.WhichOneof("condition"):
        case "present":
            holds = items.find(q.key) is not None
        case "absent":
            holds = items.find(q.key) is None
        case "equal":
            holds = items.scalar(q.key) == q.equal.value
        case "not_equal":
            holds = items.scalar(q.key) != q.not_equal.value
        case "present_and_not_equal":
            holds = items.scalar(q.key) not in (None, q.present_and_not_equal.value)
        case "absent_or_equal":
            holds = items.scalar(q.key) in (None, q.absent_or_equal.value)
        case _:
            raise invalid("the request has no condition; set one")
    if not holds:
        return pb.SetIfResponse(not_stored=_NONE)
    items.put(q.key, q.value, q.ttl_ms)
    return pb.SetIfResponse(stored=_NONE)


def set_if_hash(items: Items, q: pb.SetIfHashRequest) -> pb.SetIfHashResponse:
    items.ttl.check_item(q.key, q.value, q.ttl_ms)
    condition = q.WhichOneof("condition")
    value = None if condition == "unconditional" else items.scalar(q.key)
    there = None if value is None else hash_of(value)
    match condition:
        case "unconditional":
            holds = True
        case "present_and_hash_equal":
            holds = there == q.present_and_hash_equal.hash
        case "present_and_not_hash_equal":
            holds = there not in (None, q.present_and_not_hash_equal.hash)
        case "absent_or_hash_equal":
            holds = there in (None, q.absent_or_hash_equal.hash)
        case "absent_or_not_hash_equal":
            holds = there != q.absent_or_not_hash_equal.hash
        case _:
            raise invalid("the request has no condition; set one")
    if not holds:
        return pb.SetIfHashResponse(not_stored=_NONE)
    items.put(q.key, q.value, q.ttl_ms)
    return pb.SetIfHashResponse(stored=pb.SetIfHashResponse.Stored(new_hash=hash_of(q.value)))


def update_ttl(items: Items, q: pb.UpdateTtlRequest) -> pb.UpdateTtlResponse:
    check_key(q.key)
    change = q.WhichOneof("change")
    if change is None:
        raise invalid("the request has no TTL; set increase_to_ms, decrease_to_ms or overwrite_to_ms")
    ttl_ms: int = getattr(q, change)
    items.ttl.check(ttl_ms)
    found = items.find(q.key)
    if found is None:
        return pb.UpdateTtlResponse(missing=_NONE)
    left_ms = items.left_ms(found)
    if (change == "increase_to_ms" and ttl_ms <= left_ms) or (change == "decrease_to_ms" and ttl_ms > left_ms):
        return pb.UpdateTtlResponse(not_set=_NONE)
    items.put(q.key, found.content, ttl_ms)
    return pb.UpdateTtlResponse(set=_NONE)


def update_ttl_if_prefix(items: Items, q: pb.UpdateTtlIfPrefixRequest) -> pb.UpdateTtlIfPrefixResponse:
    check_key(q.key)
    if len(q.prefix) > _MAX_PREFIX_BYTES:
        raise invalid(f"the prefix is {len(q.prefix)} bytes, but at most {_MAX_PREFIX_BYTES} are allowed")
    items.ttl.check(q.ttl_ms)
    value = items.scalar(q.key)
    if value is None:
        return pb.UpdateTtlIfPrefixResponse(missing=_NONE)
    if not q.prefix or not value.startswith(q.prefix):
        different = pb.UpdateTtlIfPrefixResponse.Different(prefix=value[:_MAX_PREFIX_BYTES])
        return pb.UpdateTtlIfPrefixResponse(different=different)
    items.put(q.key, value, q.ttl_ms)
    return pb.UpdateTtlIfPrefixResponse(set=_NONE)


def item_get_ttl(items: Items, q: pb.ItemGetTtlRequest) -> pb.ItemGetTtlResponse:
    found = items.find(q.key)
    if found is None:
        return pb.ItemGetTtlResponse(missing=_NONE)
    return pb.ItemGetTtlResponse(found=pb.ItemGetTtlResponse.Found(remaining_ms=items.left_ms(found)))


def item_get_type(items: Items, q: pb.ItemGetTypeRequest) -> pb.ItemGetTypeResponse:
    found = items.find(q.key)
    if found is None:
        return pb.ItemGetTypeResponse(missing=_NONE)
    number = TYPES.index(type(found.content))
    return pb.ItemGetTypeResponse(found=pb.ItemGetTypeResponse.Found(type=number))
