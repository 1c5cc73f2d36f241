"""Decoders for parts of responses, and for responses that need their own decoder."""

from __future__ import annotations

import struct

from larder_cache import responses as r
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.operations._generated.messages import control, extras
from larder_cache._internal.operations.lease_answers import ELSEWHERE, Elsewhere, Lease, Stale
from larder_cache._internal.operations.operation import UnexpectedResponse

_TYPES = (r.ItemType.SCALAR, r.ItemType.DICTIONARY, r.ItemType.SET, r.ItemType.LIST, r.ItemType.SORTED_SET)
_64_BITS = 2**64 - 1
_DOUBLE = struct.Struct("<d")


def outcome(payload: bytes) -> tuple[int, bytes]:
    """Return the number and the content of the field that is set in a message with a single oneof.

    Returns (0, b"") if the message is empty.
    """
    found = (0, b"")
    for number, kind, start, end in codec.read_fields(payload, 0, len(payload)):
        if kind == 2:
            found = (number, payload[start:end])
    return found


def number(message: bytes, field: int) -> int:
    """Return an unsigned field, or 0 if it is missing."""
    found = 0
    for each, kind, value, _ in codec.read_fields(message, 0, len(message)):
        if each == field and kind == 0:
            found = value & _64_BITS
    return found


def signed(message: bytes, field: int) -> int:
    """Return a signed 64-bit field, or 0 if it is missing."""
    found = number(message, field)
    return found - 2**64 if found >= 2**63 else found


def flag(message: bytes, field: int) -> bool:
    """Return a bool field, or False if it is missing."""
    return number(message, field) != 0


def data(message: bytes, field: int) -> bytes:
    """Return a bytes field, or empty bytes if it is missing."""
    found = b""
    for each, kind, start, end in codec.read_fields(message, 0, len(message)):
        if each == field and kind == 2:
            found = message[start:end]
    return found


def double(message: bytes, field: int) -> float:
    """Return a double field, or 0 if it is missing."""
    found = 0.0
    for each, kind, start, _ in codec.read_fields(message, 0, len(message)):
        if each == field and kind == 1:
            (found,) = _DOUBLE.unpack_from(message, start)
    return found


def branch(message: bytes, asked: int) -> bytes:
    """Return the content of the expected branch of a oneof. Raises UnexpectedResponse if another branch is set."""
    found, content = outcome(message)
    if found != asked:
        raise UnexpectedResponse(f"the response contains field {found} instead of field {asked}")
    return content


def is_hit(result: int) -> bool:
    """Return whether the result of a part is a hit. Raises UnexpectedResponse if it is neither a hit nor a miss."""
    if result == pb.Hit:
        return True
    if result == pb.Miss:
        return False
    raise UnexpectedResponse(f"an element of the response has the unknown result {result}")


def pair(part: bytes) -> tuple[bytes, bytes]:
    """Return fields 1 and 2 of a part. Both contain bytes."""
    end = len(part)
    # Fast path for the layout in which Larder's server sends a short field and value. Other encodings take the general
    # path.
    if end > 3 and part[0] == 0x0A and part[1] < 0x80 and (at := part[1] + 2) < end - 1 and part[at] == 0x12:
        length, first = codec.read_varint(part, at + 1)
        if first + length == end:
            return part[2:at], part[first:]
    return data(part, 1), data(part, 2)


def scored(part: bytes) -> tuple[bytes, float]:
    """Return fields 1 and 2 of a part, which contain bytes and a number."""
    at = len(part) - 9
    if at > 1 and part[0] == 0x0A and part[1] == at - 2 < 0x80 and part[at] == 0x11:
        return part[2:at], _DOUBLE.unpack_from(part, at + 1)[0]
    return data(part, 1), double(part, 2)


def value_or_none(part: bytes) -> bytes | None:
    """Return the bytes of a part if it is a hit, or None if it is a miss."""
    if len(part) > 3 and part[:3] == b"\x08\x02\x12":
        length, first = codec.read_varint(part, 3)
        if first + length == len(part):
            return part[first:]
    return data(part, 2) if is_hit(number(part, 1)) else None


def score_or_none(part: bytes) -> float | None:
    """Return the number of a part if it is a hit, or None if it is a miss."""
    if len(part) == 11 and part[:3] == b"\x08\x02\x11":
        return _DOUBLE.unpack_from(part, 3)[0]
    return double(part, 2) if is_hit(number(part, 1)) else None


def item_type(message: bytes, field: int) -> r.ItemType:
    """Return the type of an item. Raises IndexError if the type is unknown."""
    return _TYPES[number(message, field)]


def success(_: bytes) -> r.Success:
    """Return the response for an empty message."""
    return r.SUCCESS


read_publish = success
read_get = codec.decode_get
read_set = success
read_set_batch = success


def read_keys_exist(payload: bytes) -> r.ExistsEach:
    """Read a KeysExistResponse."""
    return r.ExistsEach(pb.KeysExistResponse.FromString(payload).exists)


def read_get_batch(payload: bytes) -> r.GetBatchSuccess:
    """Read a GetBatchResult."""
    return r.GetBatchSuccess([codec.decode_get(each) for each in codec.items(payload)])


def read_list_caches(payload: bytes) -> r.Caches:
    """Read a ListCachesResponse."""
    caches = control.ListCachesResponse.FromString(payload).caches
    return r.Caches([each.name for each in caches], {each.name: each.cache_limits.max_ttl_seconds for each in caches})


def read_get_or_lease(payload: bytes) -> r.Hit | Lease | Stale | Elsewhere:
    """Read a GetOrLeaseResponse.

    Raises UnexpectedResponse if it has no outcome, or if it is a lease without a token.
    """
    answer = extras.GetOrLeaseResponse.FromString(payload)
    match answer.WhichOneof("outcome"):
        case "hit":
            return r.Hit(answer.hit.value)
        case "stale":
            stale = answer.stale
            return Stale(stale.value, stale.expired_ms, stale.token, stale.validator)
        # The token must not be empty, because a store without a token would be unconditional.
        case "lease" if answer.lease.token:
            return Lease(answer.lease.token)
        case "elsewhere":
            return ELSEWHERE
        case _:
            raise UnexpectedResponse("the response of get_or_lease has no outcome, or it has a lease without a token")


def read_release_lease(payload: bytes) -> r.Success:
    """Read a ReleaseLeaseResponse, which has no fields."""
    return success(payload)


def read_set_with_lease(payload: bytes) -> r.Stored | r.NotStored:
    """Read a SetWithLeaseResponse. Raises UnexpectedResponse if it has no outcome."""
    match outcome(payload)[0]:
        case 1:
            return r.STORED
        case 2:
            return r.NOT_STORED
        case _:
            raise UnexpectedResponse("the response of set_with_lease has no outcome")


def read_remove_by_tag(payload: bytes) -> r.Success:
    """Read a RemoveByTagResponse, which has no fields."""
    return success(payload)


def read_scan_keys(payload: bytes) -> r.KeyPage:
    """Read a ScanKeysResponse. Raises IndexError if it contains an unknown item type."""
    page = extras.ScanKeysResponse.FromString(payload)
    # The value of a KeyType is the number of the item type plus one.
    keys = [r.ScannedKey(each.key, _TYPES[each.type - 1], each.ttl_ms, each.bytes) for each in page.keys]
    return r.KeyPage(keys, page.cursor)


def read_scan_items(payload: bytes) -> r.DictionaryPage | r.SetPage | r.ListPage | r.SortedSetPage | r.Miss:
    """Read a ScanItemsResponse. Raises UnexpectedResponse if its item type is unknown."""
    page = extras.ScanItemsResponse.FromString(payload)
    match page.WhichOneof("items"):
        case "dictionary":
            items = [r.DictionaryField(each.field, each.value) for each in page.dictionary.fields]
            return r.DictionaryPage(items, page.cursor)
        case "set":
            return r.SetPage(page.set.elements, page.cursor)
        case "list":
            return r.ListPage(page.list.elements, page.cursor)
        case "sorted_set":
            elements = [r.ScoredElement(each.value, each.score) for each in page.sorted_set.elements]
            return r.SortedSetPage(elements, page.cursor)
        case "missing":
            return r.MISS
        case _:
            raise UnexpectedResponse("the response of scan_items contains neither a page of a known type nor a miss")
