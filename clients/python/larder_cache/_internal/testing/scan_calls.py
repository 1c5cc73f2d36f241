"""Scans (protocol/spec/scan.md).

A cursor contains the last key or element of its page. The next page starts after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from heapq import nsmallest

from larder_cache._internal.operations._generated.messages import extras as pb
from larder_cache._internal.testing.contents import TYPES, Content, Dictionary, ElementList, SortedSet
from larder_cache._internal.testing.items import Item, Items
from larder_cache._internal.testing.refused import Refused, invalid, wrong_type
from larder_cache._internal.testing.rules import check_key
from larder_cache.errors import ErrorCode

# The default and the maximum number of entries on a page, and the maximum size of a page. Source: SCAN-6, ITEMS-3.
_USUAL, _MOST, _MOST_BYTES = 100, 4_096, 1024 * 1024
_NO_CURSOR = "the cursor does not belong to this scan; restart the scan without a cursor"
_NUMBER_BYTES = 8


def _count(asked: int) -> int:
    return min(asked or _USUAL, _MOST)


def _page(items: Iterable[tuple[bytes, int]]) -> Iterator[bytes]:
    """Yield the first items, as many as fit on a page, but at least one.

    `items` contains pairs of an item and its size.
    """
    total = 0
    for item, size in items:
        if total and total + size > _MOST_BYTES:
            return
        total += size
        yield item


def _size(content: Content) -> int:
    if isinstance(content, bytes):
        return len(content)
    if isinstance(content, Dictionary):
        return sum(len(field) + len(value) for field, value in content.items())
    if isinstance(content, SortedSet):
        return sum(len(element) + 8 for element in content)
    return sum(map(len, content.values if isinstance(content, ElementList) else content))


def scan_keys(items: Items, q: pb.ScanKeysRequest) -> pb.ScanKeysResponse:
    if not 0 <= q.type <= len(TYPES):
        raise invalid("unknown item type")
    head = items.birth + b"k"
    if q.cursor and not q.cursor.startswith(head):
        raise invalid(_NO_CURSOR)
    after, alive = q.cursor[len(head) :], items.alive()
    wanted = None if q.type == 0 else TYPES[q.type - 1]
    # Without a cursor `after` is empty. All keys are greater, because no key is empty.
    shown = [
        key
        for key, item in alive.items()
        if key > after and key.startswith(q.prefix) and (wanted is None or type(item.content) is wanted)
    ]
    # Select as many keys as fit on the page. The size of a key is its length.
    page = list(_page((key, len(key)) for key in nsmallest(_count(q.count), shown)))
    keys = [_scanned(items, key, alive[key]) for key in page]
    return pb.ScanKeysResponse(keys=keys, cursor=head + page[-1] if len(page) < len(shown) else b"")


def _scanned(items: Items, key: bytes, item: Item) -> pb.ScannedKey:
    kind = TYPES.index(type(item.content)) + 1
    return pb.ScannedKey(key=key, type=kind, ttl_ms=items.left_ms(item), bytes=_size(item.content))


def scan_items(items: Items, q: pb.ScanItemsRequest) -> pb.ScanItemsResponse:
    check_key(q.name)
    # The first part of the cursor identifies this cache and this key. Its length is fixed, because the key is hashed.
    head = items.birth + b"i" + hashlib.blake2b(q.name, digest_size=8).digest()
    kind = q.cursor[len(head) : len(head) + 1]
    if q.cursor and (not q.cursor.startswith(head) or not kind):
        raise invalid(_NO_CURSOR)
    found = items.find(q.name)
    if found is None:
        return pb.ScanItemsResponse(missing=pb.ScannedNothing())
    content = found.content
    if isinstance(content, bytes):
        raise wrong_type()
    own = bytes([TYPES.index(type(content))])
    if q.cursor and kind != own:
        why = "the type of the collection has changed since the previous page; restart the scan without a cursor"
        raise Refused(ErrorCode.FAILED_PRECONDITION, why)
    after = q.cursor[len(head) + 1 :] if q.cursor else None
    if isinstance(content, ElementList):
        return _list_page(content, after, _count(q.count), head + own)
    # Without a cursor, select all elements. A comparison with an empty position would omit an empty element.
    ahead = [each for each in content if after is None or each > after]
    wanted = nsmallest(_count(q.count), ahead)
    page = list(
        _page((each, len(each) + len(content[each] if isinstance(content, Dictionary) else b"")) for each in wanted)
    )
    cursor = head + own + page[-1] if len(page) < len(ahead) else b""
    if isinstance(content, Dictionary):
        told = [pb.ScannedField(field=each, value=content[each]) for each in page]
        return pb.ScanItemsResponse(dictionary=pb.ScannedFields(fields=told), cursor=cursor)
    if isinstance(content, SortedSet):
        scored = [pb.ScannedScore(value=each, score=content[each]) for each in page]
        return pb.ScanItemsResponse(sorted_set=pb.ScannedScores(elements=scored), cursor=cursor)
    return pb.ScanItemsResponse(set=pb.ScannedElements(elements=page), cursor=cursor)


def _list_page(content: ElementList, after: bytes | None, count: int, head: bytes) -> pb.ScanItemsResponse:
    if after is not None and len(after) != _NUMBER_BYTES:
        raise invalid(_NO_CURSOR)
    first = 0 if after is None else content.place_after(int.from_bytes(after, "big", signed=True))
    page = list(_page((each, len(each)) for each in content.values[first : first + count]))
    end = first + len(page)
    more = end < len(content)
    at = content.number_at(end - 1).to_bytes(_NUMBER_BYTES, "big", signed=True) if more else b""
    return pb.ScanItemsResponse(list=pb.ScannedElements(elements=page), cursor=head + at if more else b"")
