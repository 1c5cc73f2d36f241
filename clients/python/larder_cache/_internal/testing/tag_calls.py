"""Calls on tags."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache._internal.operations._generated.messages import extras as pb
from larder_cache._internal.operations.requests import MOST_TAG_BYTES, MOST_TAGS
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import invalid


def remove_by_tag(items: Items, q: pb.RemoveByTagRequest) -> pb.RemoveByTagResponse:
    if not q.tags:
        raise invalid("the request has no tag; pass at least one")
    items.remove_tagged(checked_tags(q.tags))
    return pb.RemoveByTagResponse()


def checked_tags(tags: Iterable[bytes]) -> frozenset[bytes]:
    """Return the tags of an item or a request as a set. Raises Refused if the tags exceed a limit."""
    read = list(tags)
    if len(read) > MOST_TAGS or not all(1 <= len(tag) <= MOST_TAG_BYTES for tag in read):
        why = f"a tag must be 1 to {MOST_TAG_BYTES} bytes, and an item or request may have at most {MOST_TAGS} tags"
        raise invalid(why)
    return frozenset(read)
