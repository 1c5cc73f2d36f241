"""Encodes arguments as requests. The functions raise TypeError or arguments.Refusal if an argument is invalid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, cast

from larder_cache._internal.operations import collection_fields as wire
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.collection_requests import CollectionRequests
from larder_cache._internal.operations.arguments import (
    BatchItem,
    Key,
    Refusal,
    Value,
    to_bytes,
    to_hash,
    to_int64,
    to_items,
    to_key,
    to_keys,
    to_ttl_ms,
)
from larder_cache.responses import ItemType
from larder_cache.ttl import Ttl

MOST_TAGS = 128
MOST_TAG_BYTES = 1_024


def reject_single_tag(tags: Iterable[Key]) -> None:
    """Raise TypeError if the tags are one str or bytes, whose characters would otherwise be the tags."""
    if isinstance(cast(Any, tags), (str, bytes, bytearray, memoryview)):
        raise TypeError("tags must be an iterable of str or bytes, not one str or bytes")


def tag_fields(field: int, tags: Iterable[Key], *, least: int = 1) -> bytes:
    """Encode tags as a repeated field. Raises TypeError or Refusal if the tags are invalid."""
    reject_single_tag(tags)
    read = [to_bytes(tag) for tag in islice(tags, MOST_TAGS + 1)]
    if not least <= len(read) <= MOST_TAGS:
        raise Refusal(f"the number of tags must be from {least} to {MOST_TAGS}")
    if not all(1 <= len(tag) <= MOST_TAG_BYTES for tag in read):
        raise Refusal(f"a tag must have 1 to {MOST_TAG_BYTES:,} bytes")
    return b"".join(codec.bytes_field(field, tag) for tag in read)


class Requests(CollectionRequests):
    """Encodes the requests of one client. The client's default is used if the caller passes no time to live."""

    def __init__(self, default_ttl_ms: int) -> None:
        super().__init__(default_ttl_ms)
        self._default_ttl_field = codec.encode_ttl(default_ttl_ms)

    def key(self, key: Key) -> bytes:
        """Return a request that contains only a key."""
        return codec.encode_key(to_key(key))

    def set(self, key: Key, value: Value, ttl: Ttl | None) -> bytes:
        ttl_field = self._default_ttl_field if ttl is None else codec.encode_ttl(to_ttl_ms(ttl))
        return codec.encode_set(to_key(key), to_bytes(value), ttl_field)

    def gets(self, keys: Iterable[Key]) -> list[bytes]:
        """Return the items of a GetBatchRequest."""
        return [codec.encode_key(key) for key in to_keys(keys)]

    def sets(
        self, items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem], ttl: Ttl | None
    ) -> list[bytes]:
        """Return the items of a SetBatchRequest. Each item may have its own time to live."""
        requests: list[bytes] = []
        for item in to_items(items):
            if not isinstance(cast(Any, item), (tuple, list)) or not 2 <= len(item) <= 3:
                raise TypeError("an item of a batch must be (key, value) or (key, value, ttl)")
            own = item[2] if len(item) == 3 else None
            requests.append(self.set(item[0], item[1], ttl if own is None else own))
        return requests

    def scan_keys(self, prefix: Key, type: ItemType | None, cursor: bytes, count: int) -> bytes:
        if type is not None and not isinstance(cast(Any, type), ItemType):
            raise TypeError("the item type must be an ItemType")
        fields = (
            codec.bytes_field(1, to_bytes(prefix)),
            # The field contains a KeyType. 0 selects any type. Otherwise it is the number of the item type plus one.
            codec.number_field(2, 0 if type is None else list(ItemType).index(type) + 1),
            codec.bytes_field(3, to_bytes(cursor)),
            wire.count(4, "count", count),
        )
        return b"".join(fields)

    def set_with_tags(self, key: Key, value: Value, tags: Iterable[Key], ttl: Ttl | None) -> bytes:
        """Return a SetWithLeaseRequest that contains tags but no lease."""
        return self.set(key, value, ttl) + tag_fields(6, tags)

    def remove_by_tag(self, tags: Iterable[Key]) -> bytes:
        return tag_fields(1, tags)

    def scan_items(self, name: Key, cursor: bytes, count: int) -> bytes:
        fields = (
            codec.bytes_field(1, to_key(name)),
            codec.bytes_field(2, to_bytes(cursor)),
            wire.count(3, "count", count),
        )
        return b"".join(fields)

    # operations: requests (tools/operations writes them from operations.toml)

    def increment(self, key: Key, amount: int, ttl: Ttl | None, keep_ttl: bool) -> bytes:
        fields = (
            codec.bytes_field(1, to_key(key)),
            codec.number_field(2, to_int64("amount", amount)),
            codec.number_field(3, self._ttl(ttl)),
            codec.number_field(64, int(keep_ttl)),
        )
        return b"".join(fields)

    def update_ttl(self, arm: int, key: Key, ttl: Ttl) -> bytes:
        fields = (
            codec.bytes_field(1, to_key(key)),
            codec.number_field(arm, to_ttl_ms(ttl)),
        )
        return b"".join(fields)

    def update_ttl_if_prefix(self, key: Key, prefix: Value, ttl: Ttl | None) -> bytes:
        fields = (
            codec.bytes_field(1, to_key(key)),
            codec.bytes_field(2, to_bytes(prefix)),
            codec.number_field(3, self._ttl(ttl)),
        )
        return b"".join(fields)

    def set_if(self, arm: int, key: Key, value: Value, ttl: Ttl | None, *equal: Value) -> bytes:
        fields = (
            codec.bytes_field(1, to_key(key)),
            codec.bytes_field(2, to_bytes(value)),
            codec.number_field(3, self._ttl(ttl)),
            codec.bytes_field(arm, b"".join(codec.bytes_field(1, to_bytes(each)) for each in equal)),
        )
        return b"".join(fields)

    def set_if_hash(self, arm: int, key: Key, value: Value, ttl: Ttl | None, *hash: bytes) -> bytes:
        fields = (
            codec.bytes_field(1, to_key(key)),
            codec.bytes_field(2, to_bytes(value)),
            codec.number_field(3, self._ttl(ttl)),
            codec.bytes_field(arm, b"".join(codec.bytes_field(1, to_hash(each)) for each in hash)),
        )
        return b"".join(fields)

    # operations: end
