# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Encodes collection calls as requests. Raises TypeError or arguments.Refusal for invalid arguments."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache._internal.operations import collection_fields as wire
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.arguments import Key, Value, to_bytes, to_int64, to_key, to_ttl_ms
from larder_cache._internal.operations.collection_fields import DictionaryItems, ListRanges, ScoredElements, SortedSetSources
from larder_cache.collection_ttl import AnyTtl
from larder_cache.score_bound import AnyBound
from larder_cache.sorted_set_options import SortedSetAggregate, SortedSetOrder
from larder_cache.ttl import Ttl


class CollectionRequests:
    """Encodes requests for one client, with its default for a missing time to live."""

    def __init__(self, default_ttl_ms: int) -> None:
        self._default_ttl_ms = default_ttl_ms

    def _ttl(self, ttl: Ttl | None) -> int:
        return self._default_ttl_ms if ttl is None else to_ttl_ms(ttl)

    def dictionary_get(self, name: Key, fields: Iterable[Key]) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.names(2, fields),
        )

    def dictionary_set(self, name: Key, items: DictionaryItems, ttl: AnyTtl | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.items(2, items),
            wire.ttl(3, 4, ttl, self._default_ttl_ms),
        )

    def dictionary_increment(self, name: Key, field: Key, amount: int, ttl: AnyTtl | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            codec.bytes_field(2, wire.to_field(field)),
            codec.number_field(3, to_int64("amount", amount)),
            wire.ttl(4, 5, ttl, self._default_ttl_ms),
        )

    def dictionary_delete(self, name: Key) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.within(3, b""),
        )

    def dictionary_remove(self, name: Key, fields: Iterable[Key]) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.within(2, wire.names(1, fields)),
        )

    def set_sample(self, name: Key, limit: int) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.count(2, "limit", limit, bits=64),
        )

    def set_union(self, name: Key, elements: Iterable[Value], ttl: AnyTtl | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.elements(2, elements),
            wire.ttl(3, 4, ttl, self._default_ttl_ms),
        )

    def set_difference(self, name: Key, elements: Iterable[Value]) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.within(3, wire.within(1, wire.elements(1, elements))),
        )

    def set_difference_from(self, name: Key, elements: Iterable[Value]) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.within(2, wire.elements(1, elements)),
        )

    def set_contains(self, name: Key, elements: Iterable[Value]) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.elements(2, elements),
        )

    def set_pop(self, name: Key, count: int) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.count(2, "count", count),
        )

    def list_push_front(self, name: Key, value: Value, ttl: AnyTtl | None, truncate_back_to_size: int) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            codec.bytes_field(2, to_bytes(value)),
            wire.ttl(3, 4, ttl, self._default_ttl_ms),
            wire.count(5, "truncate_back_to_size", truncate_back_to_size),
        )

    def list_push_back(self, name: Key, value: Value, ttl: AnyTtl | None, truncate_front_to_size: int) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            codec.bytes_field(2, to_bytes(value)),
            wire.ttl(3, 4, ttl, self._default_ttl_ms),
            wire.count(5, "truncate_front_to_size", truncate_front_to_size),
        )

    def list_concatenate_front(
        self, name: Key, values: Iterable[Value], ttl: AnyTtl | None, truncate_back_to_size: int
    ) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.elements(2, values),
            wire.ttl(3, 4, ttl, self._default_ttl_ms),
            wire.count(5, "truncate_back_to_size", truncate_back_to_size),
        )

    def list_concatenate_back(
        self, name: Key, values: Iterable[Value], ttl: AnyTtl | None, truncate_front_to_size: int
    ) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.elements(2, values),
            wire.ttl(3, 4, ttl, self._default_ttl_ms),
            wire.count(5, "truncate_front_to_size", truncate_front_to_size),
        )

    def list_fetch(self, name: Key, start: int | None, end: int | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.index(3, 2, "start", start),
            wire.index(5, 4, "end", end),
        )

    def list_retain(self, name: Key, start: int | None, end: int | None, ttl: AnyTtl | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.index(3, 2, "start", start),
            wire.index(5, 4, "end", end),
            wire.kept_ttl(6, 7, ttl, self._default_ttl_ms),
        )

    def list_remove(self, name: Key, value: Value) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            codec.bytes_field(2, to_bytes(value)),
        )

    def list_erase(self, name: Key, ranges: ListRanges) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.within(2, wire.ranges(1, ranges)),
        )

    def sorted_set_put(self, name: Key, elements: ScoredElements, ttl: AnyTtl | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.scored(2, elements),
            wire.ttl(3, 4, ttl, self._default_ttl_ms),
        )

    def sorted_set_fetch_by_rank(self, name: Key, order: SortedSetOrder, start: int | None, end: int | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.choice(2, SortedSetOrder, order),
            codec.number_field(3, 1),
            wire.within(4, wire.index(2, 1, "start", start), wire.index(4, 3, "end", end)),
        )

    def sorted_set_fetch_by_score(
        self, name: Key, order: SortedSetOrder, min: AnyBound | None, max: AnyBound | None, offset: int, count: int
    ) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.choice(2, SortedSetOrder, order),
            codec.number_field(3, 1),
            wire.within(
                5,
                wire.bound(2, 1, "min", min),
                wire.bound(4, 3, "max", max),
                wire.count(5, "offset", offset),
                wire.signed(6, "count", count),
            ),
        )

    def sorted_set_get_score(self, name: Key, elements: Iterable[Value]) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.elements(2, elements),
        )

    def sorted_set_get_rank(self, name: Key, element: Value, order: SortedSetOrder) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            codec.bytes_field(2, to_bytes(element)),
            wire.choice(3, SortedSetOrder, order),
        )

    def sorted_set_increment(self, name: Key, element: Value, amount: float, ttl: AnyTtl | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            codec.bytes_field(2, to_bytes(element)),
            wire.score(3, "amount", amount),
            wire.ttl(4, 5, ttl, self._default_ttl_ms),
        )

    def sorted_set_remove(self, name: Key, elements: Iterable[Value]) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.within(3, wire.elements(1, elements)),
        )

    def sorted_set_length_by_score(self, name: Key, min: AnyBound | None, max: AnyBound | None) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.bound_alone(2, 3, 4, "min", min),
            wire.bound_alone(5, 6, 7, "max", max),
        )

    def sorted_set_union_store(
        self, name: Key, sources: SortedSetSources, aggregate: SortedSetAggregate, ttl: Ttl | None
    ) -> bytes:
        return wire.message(
            codec.bytes_field(1, to_key(name)),
            wire.sources(2, sources),
            wire.choice(3, SortedSetAggregate, aggregate),
            codec.number_field(4, self._ttl(ttl)),
        )
