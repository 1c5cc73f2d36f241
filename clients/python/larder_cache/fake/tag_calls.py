"""Calls on tags."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache._proto import extras_pb2 as pb
from larder_cache.fake.items import Items
from larder_cache.fake.refused import invalid
from larder_cache.requests import MOST_TAG_BYTES, MOST_TAGS


def set_with_tags(items: Items, q: pb.SetWithLeaseRequest) -> pb.SetWithLeaseResponse:
    """A SetWithLease without a lease: the fake gives none."""
    items.ttl.check_item(q.key, q.value, q.ttl_ms)
    items.put(q.key, q.value, q.ttl_ms, _checked(q.tags))
    return pb.SetWithLeaseResponse(stored=pb.SetWithLeaseResponse.Empty())


def remove_by_tag(items: Items, q: pb.RemoveByTagRequest) -> pb.RemoveByTagResponse:
    if not q.tags:
        raise invalid("the request names no tag")
    items.remove_tagged(_checked(q.tags))
    return pb.RemoveByTagResponse()


def _checked(tags: Iterable[bytes]) -> frozenset[bytes]:
    read = list(tags)
    if len(read) > MOST_TAGS or not all(1 <= len(tag) <= MOST_TAG_BYTES for tag in read):
        why = f"a tag has from 1 to {MOST_TAG_BYTES} bytes, and an item or a request at most {MOST_TAGS} tags"
        raise invalid(why)
    return frozenset(read)
