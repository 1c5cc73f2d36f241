"""The calls of `Cache` that are derived from CacheResults: they return a plain value instead of a response.

Written by tools/python-sync from responses.py and the base classes of CacheResults; not edited by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from larder_cache import responses as r
from larder_cache._internal.client.checked import checked
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.operations.arguments import BatchItem, Key, Value
from larder_cache._internal.operations.collection_fields import (
    DictionaryItems,
    ListRanges,
    ScoredElements,
    SortedSetSources,
)
from larder_cache.cache_results import CacheResults
from larder_cache.collection_ttl import AnyTtl
from larder_cache.score_bound import AnyBound
from larder_cache.sorted_set_options import SortedSetAggregate, SortedSetOrder
from larder_cache.ttl import Ttl


class ValueAndHash(NamedTuple):
    """Value and hash."""

    value: bytes
    hash: bytes


class ValueAndLength(NamedTuple):
    """Value and length."""

    value: bytes
    length: int


class PlainCalls(Unpicklable):
    """The base of `Cache`."""

    _results: CacheResults

    async def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> None:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        checked(await self._results.set(key, value, ttl=ttl))

    async def set_batch(
        self, items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem], *, ttl: Ttl | None = None
    ) -> None:
        """Store many values in one call.

        Args:
            items: A mapping, or (key, value) or (key, value, ttl) tuples.
            ttl: The time to live of the items that have no time to live of their own. None selects the client's
                default.

        A batch of more than 11,010,048 bytes is sent in parts within one deadline. If parts fail, the error of the
        first failed part is returned. The other parts are stored.
        """
        checked(await self._results.set_batch(items, ttl=ttl))

    async def keys_exist(self, keys: Iterable[Key]) -> list[bool]:
        """Check which of the keys exist. The results are in the order of the keys.

        A request of more than 11,010,048 bytes is sent in parts within one deadline, like a batch of `set_batch`.
        """
        return checked(await self._results.keys_exist(keys)).exists

    async def key_exists(self, key: Key) -> bool:
        """Check whether a key exists."""
        return checked(await self._results.key_exists(key)).exists

    async def scan_keys(
        self, prefix: Key = b"", *, type: r.ItemType | None = None, cursor: bytes = b"", count: int = 0
    ) -> r.KeyPage:
        """Get a page of the cache's keys. Repeat with the returned cursor until the cursor is empty.

        Every key that exists during the whole scan is on at least one page.

        Args:
            prefix: The prefix of the keys.
            type: The type of the items. None selects all types.
            cursor: The cursor of the previous page. Empty for the first page.
            count: The approximate number of keys on a page, at most 4,096. 0 selects the server's default, 100.

        The call fails with INVALID_ARGUMENT if the cursor belongs to another cache or was created before a restart of
        the server. It fails with FAILED_PRECONDITION if slots of a fleet moved. In both cases start again without a
        cursor. It fails with UNKNOWN if the server does not support this call, for example a server that implements
        only the public protocol.
        """
        return checked(await self._results.scan_keys(prefix, type=type, cursor=cursor, count=count))

    async def scan_items(
        self, name: Key, *, cursor: bytes = b"", count: int = 0
    ) -> r.DictionaryPage | r.SetPage | r.ListPage | r.SortedSetPage | None:
        """Get a page of a collection. Repeat with the returned cursor until the cursor is empty.

        Returns a DictionaryPage, SetPage, ListPage or SortedSetPage, or a Miss if the key does not exist or was removed
        between two pages. Every element that exists during the whole scan is on at least one page.

        Args:
            name: The key of the collection.
            cursor: The cursor of the previous page. Empty for the first page.
            count: The approximate number of fields or elements on a page, at most 4,096. 0 selects the server's
                default, 100.

        The call fails with FAILED_PRECONDITION if the item is not a collection. It fails with UNKNOWN if the server
        does not support this call, for example a server that implements only the public protocol.

        In the following cases start again without a cursor:

        - FAILED_PRECONDITION: the type of the item or the masters of a fleet changed since the previous page.
        - INVALID_ARGUMENT: the cursor belongs to another key or was created before a restart of the server.

        Returns None on a miss.
        """
        answer = checked(await self._results.scan_items(name, cursor=cursor, count=count))
        return None if isinstance(answer, r.Miss) else answer

    async def set_with_tags(self, key: Key, value: Value, tags: Iterable[Key], *, ttl: Ttl | None = None) -> None:
        """Store a value with tags, unconditionally. `remove_by_tag` with any of the tags removes the item.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. If the server does not support tags, the call fails with
        UNKNOWN and nothing is stored.
        """
        checked(await self._results.set_with_tags(key, value, tags, ttl=ttl))

    async def remove_by_tag(self, tags: Iterable[Key]) -> None:
        """Remove every item that has any of the tags.

        This is one call. Its cost does not depend on the number of items.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. All near-cache copies of the cache are removed. If the
        server does not support tags, the call fails with UNKNOWN.
        """
        checked(await self._results.remove_by_tag(tags))

    async def delete(self, key: Key) -> None:
        """Delete an item. Succeeds even if the item does not exist."""
        checked(await self._results.delete(key))

    async def increment(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Add to an integer item, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `amount`: The amount to add, which may be negative.

        `keep_ttl`: Whether an existing item keeps its remaining TTL; `ttl` then applies only to a new item. By default,
        each increment sets the TTL again.

        Returns the value after the increment.
        """
        return checked(await self._results.increment(key, amount, ttl=ttl, keep_ttl=keep_ttl)).value

    async def item_get_ttl(self, key: Key) -> float | None:
        """Get the remaining TTL of an item.

        Returns the time until the item expires, rounded down to milliseconds, in seconds. None on a miss.
        """
        answer = checked(await self._results.item_get_ttl(key))
        return answer.remaining_ttl_ms / 1_000 if isinstance(answer, r.RemainingTtl) else None

    async def item_get_type(self, key: Key) -> r.ItemType | None:
        """Get the type of an item.

        Returns the type of the item. None on a miss.
        """
        answer = checked(await self._results.item_get_type(key))
        return answer.type if isinstance(answer, r.FoundType) else None

    async def get_with_hash(self, key: Key) -> ValueAndHash | None:
        """Get an item's value and its hash, for a later conditional write that compares the hash.

        Returns the value and the hash. None on a miss.
        """
        answer = checked(await self._results.get_with_hash(key))
        return ValueAndHash(answer.value, answer.hash) if isinstance(answer, r.FoundWithHash) else None

    async def update_ttl(self, key: Key, ttl: Ttl) -> bool:
        """Replace the TTL of an item.

        Returns whether the TTL was changed.
        """
        return isinstance(checked(await self._results.update_ttl(key, ttl)), r.TtlSet)

    async def increase_ttl(self, key: Key, ttl: Ttl) -> bool:
        """Replace the TTL of an item if the new TTL is longer than the remaining TTL.

        Returns whether the TTL was changed.
        """
        return isinstance(checked(await self._results.increase_ttl(key, ttl)), r.TtlSet)

    async def decrease_ttl(self, key: Key, ttl: Ttl) -> bool:
        """Replace the TTL of an item if the new TTL is shorter than the remaining TTL.

        Returns whether the TTL was changed.
        """
        return isinstance(checked(await self._results.decrease_ttl(key, ttl)), r.TtlSet)

    async def set_if_absent(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key does not exist.

        Returns whether the value was stored.
        """
        return isinstance(checked(await self._results.set_if_absent(key, value, ttl=ttl)), r.Stored)

    async def set_if_present(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key exists.

        Returns whether the value was stored.
        """
        return isinstance(checked(await self._results.set_if_present(key, value, ttl=ttl)), r.Stored)

    async def set_if_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the current value is exactly `equal`.

        Returns whether the value was stored.
        """
        return isinstance(checked(await self._results.set_if_equal(key, value, equal, ttl=ttl)), r.Stored)

    async def set_if_not_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key is missing or its value is not exactly `equal`.

        Returns whether the value was stored.
        """
        return isinstance(checked(await self._results.set_if_not_equal(key, value, equal, ttl=ttl)), r.Stored)

    async def set_if_present_and_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> bool:
        """Store the value if the key exists and its value is not exactly `equal`.

        Returns whether the value was stored.
        """
        return isinstance(
            checked(await self._results.set_if_present_and_not_equal(key, value, equal, ttl=ttl)), r.Stored
        )

    async def set_if_absent_or_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key is missing or its value is exactly `equal`.

        Returns whether the value was stored.
        """
        return isinstance(checked(await self._results.set_if_absent_or_equal(key, value, equal, ttl=ttl)), r.Stored)

    async def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the current value has the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        answer = checked(await self._results.set_if_present_and_hash_equal(key, value, hash, ttl=ttl))
        return answer.hash if isinstance(answer, r.StoredWithHash) else None

    async def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the key exists and its value does not have the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        answer = checked(await self._results.set_if_present_and_not_hash_equal(key, value, hash, ttl=ttl))
        return answer.hash if isinstance(answer, r.StoredWithHash) else None

    async def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the key is missing or its value has the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        answer = checked(await self._results.set_if_absent_or_hash_equal(key, value, hash, ttl=ttl))
        return answer.hash if isinstance(answer, r.StoredWithHash) else None

    async def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the key is missing or its value does not have the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        answer = checked(await self._results.set_if_absent_or_not_hash_equal(key, value, hash, ttl=ttl))
        return answer.hash if isinstance(answer, r.StoredWithHash) else None

    async def dictionary_get(self, name: Key, fields: Iterable[Key]) -> list[bytes | None] | None:
        """Get fields of a dictionary.

        `fields`: The fields, in the order of the results.

        Returns one entry for each requested field, in the same order; None for each missing one. None on a miss.
        """
        answer = checked(await self._results.dictionary_get(name, fields))
        return answer.values if isinstance(answer, r.DictionaryGetHit) else None

    async def dictionary_fetch(self, name: Key) -> dict[bytes, bytes] | None:
        """Get all fields of a dictionary, in no particular order.

        Returns all fields, read atomically. None on a miss.
        """
        answer = checked(await self._results.dictionary_fetch(name))
        return dict(answer.items) if isinstance(answer, r.DictionaryFetchHit) else None

    async def dictionary_set(self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None) -> None:
        """Store fields of a dictionary, which is created if it does not exist. If a field occurs twice, its last value
        wins.

        `items`: The fields with their values, stored in this order. There may be none.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.
        """
        checked(await self._results.dictionary_set(name, items, ttl=ttl))

    async def dictionary_increment(self, name: Key, field: Key, amount: int = 1, *, ttl: AnyTtl | None = None) -> int:
        """Add to an integer field, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `field`: The name of the field: at least one byte.

        `amount`: The amount to add, which may be negative or 0.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.

        Returns the field's value after the increment.
        """
        return checked(await self._results.dictionary_increment(name, field, amount, ttl=ttl)).value

    async def dictionary_delete(self, name: Key) -> None:
        """Delete a dictionary. Succeeds even if it does not exist."""
        checked(await self._results.dictionary_delete(name))

    async def dictionary_remove(self, name: Key, fields: Iterable[Key]) -> None:
        """Remove fields of a dictionary. Succeeds even if they do not exist.

        `fields`: The fields, which need not exist.
        """
        checked(await self._results.dictionary_remove(name, fields))

    async def dictionary_length(self, name: Key) -> int | None:
        """Get the number of fields of a dictionary.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.dictionary_length(name))
        return answer.length if isinstance(answer, r.DictionaryLengthHit) else None

    async def set_fetch(self, name: Key) -> list[bytes] | None:
        """Get all elements of a set, in no particular order.

        Returns the elements. None on a miss.
        """
        answer = checked(await self._results.set_fetch(name))
        return answer.elements if isinstance(answer, r.SetFetchHit) else None

    async def set_sample(self, name: Key, limit: int) -> list[bytes] | None:
        """Get distinct random elements of a set.

        `limit`: The maximum number of elements. If it is 0, the call only checks whether the set exists.

        Returns the elements. None on a miss.
        """
        answer = checked(await self._results.set_sample(name, limit))
        return answer.elements if isinstance(answer, r.SetSampleHit) else None

    async def set_union(self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a set, which is created if it does not exist.

        `elements`: The elements. There may be none.

        `ttl`: The time to live of the set, and whether an existing set gets it too. If None, the client's default is
        used, and an existing set gets it too.
        """
        checked(await self._results.set_union(name, elements, ttl=ttl))

    async def set_difference(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements from a set. Succeeds even if they do not exist.

        `elements`: The elements. There may be none.
        """
        checked(await self._results.set_difference(name, elements))

    async def set_difference_from(self, name: Key, elements: Iterable[Value]) -> None:
        """Replace a set with the given elements that the set does not contain. The client does not retry this call if
        it may have run.

        `elements`: The elements. There may be none.
        """
        checked(await self._results.set_difference_from(name, elements))

    async def set_contains(self, name: Key, elements: Iterable[Value]) -> list[bool] | None:
        """Check which elements a set contains.

        `elements`: The elements, in the order of the results.

        Returns whether the set contains each element, in the order of the elements. None on a miss.
        """
        answer = checked(await self._results.set_contains(name, elements))
        return answer.contains if isinstance(answer, r.SetContainsHit) else None

    async def set_length(self, name: Key) -> int | None:
        """Get the number of elements of a set.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.set_length(name))
        return answer.length if isinstance(answer, r.SetLengthHit) else None

    async def set_pop(self, name: Key, count: int = 1) -> list[bytes] | None:
        """Remove distinct random elements of a set and return them. The client does not retry this call if it may have
        run.

        `count`: The maximum number of elements: 1 or more.

        Returns the elements. None on a miss.
        """
        answer = checked(await self._results.set_pop(name, count))
        return answer.elements if isinstance(answer, r.SetPopHit) else None

    async def list_push_front(
        self, name: Key, value: Value, *, truncate_back_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> int:
        """Add an element at the front of a list, which is created if it does not exist. The client does not retry this
        call if it may have run.

        `truncate_back_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        back. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.

        Returns the number of elements in the list after the call.
        """
        return checked(
            await self._results.list_push_front(name, value, truncate_back_to_size=truncate_back_to_size, ttl=ttl)
        ).length

    async def list_push_back(
        self, name: Key, value: Value, *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> int:
        """Add an element at the back of a list, which is created if it does not exist. The client does not retry this
        call if it may have run.

        `truncate_front_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        front. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.

        Returns the number of elements in the list after the call.
        """
        return checked(
            await self._results.list_push_back(name, value, truncate_front_to_size=truncate_front_to_size, ttl=ttl)
        ).length

    async def list_concatenate_front(
        self, name: Key, values: Iterable[Value], *, truncate_back_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> int:
        """Add elements at the front of a list and keep their order. The client does not retry this call if it may have
        run.

        `values`: The elements, in order. There may be none.

        `truncate_back_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        back. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.

        Returns the number of elements in the list after the call.
        """
        return checked(
            await self._results.list_concatenate_front(
                name, values, truncate_back_to_size=truncate_back_to_size, ttl=ttl
            )
        ).length

    async def list_concatenate_back(
        self, name: Key, values: Iterable[Value], *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> int:
        """Add elements at the back of a list and keep their order. The client does not retry this call if it may have
        run.

        `values`: The elements, in order. There may be none.

        `truncate_front_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        front. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.

        Returns the number of elements in the list after the call.
        """
        return checked(
            await self._results.list_concatenate_back(
                name, values, truncate_front_to_size=truncate_front_to_size, ttl=ttl
            )
        ).length

    async def list_pop_front(self, name: Key) -> ValueAndLength | None:
        """Remove the first element of a list and return it. The client does not retry this call if it may have run.

        Returns the value and the length. None on a miss.
        """
        answer = checked(await self._results.list_pop_front(name))
        return ValueAndLength(answer.value, answer.length) if isinstance(answer, r.ListPopFrontHit) else None

    async def list_pop_back(self, name: Key) -> ValueAndLength | None:
        """Remove the last element of a list and return it. The client does not retry this call if it may have run.

        Returns the value and the length. None on a miss.
        """
        answer = checked(await self._results.list_pop_back(name))
        return ValueAndLength(answer.value, answer.length) if isinstance(answer, r.ListPopBackHit) else None

    async def list_fetch(self, name: Key, *, start: int | None = None, end: int | None = None) -> list[bytes] | None:
        """Get a slice of a list, in order.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.

        Returns the elements. None on a miss.
        """
        answer = checked(await self._results.list_fetch(name, start=start, end=end))
        return answer.values if isinstance(answer, r.ListFetchHit) else None

    async def list_retain(
        self, name: Key, *, start: int | None = None, end: int | None = None, ttl: AnyTtl | None = None
    ) -> int | None:
        """Keep a slice of a list and remove the rest. The client does not retry this call if it may have run.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.

        `ttl`: The new time to live of the list. Ignored if its refresh flag is false. If None, the old one is kept.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.list_retain(name, start=start, end=end, ttl=ttl))
        return answer.length if isinstance(answer, r.ListRetainHit) else None

    async def list_remove(self, name: Key, value: Value) -> int | None:
        """Remove every element of a list that equals a value.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.list_remove(name, value))
        return answer.length if isinstance(answer, r.ListRemoveHit) else None

    async def list_erase(self, name: Key, ranges: ListRanges) -> int | None:
        """Remove ranges of a list. The client does not retry this call if it may have run.

        `ranges`: The ranges, which may overlap. There may be none.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.list_erase(name, ranges))
        return answer.length if isinstance(answer, r.ListEraseHit) else None

    async def list_length(self, name: Key) -> int | None:
        """Get the number of elements of a list.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.list_length(name))
        return answer.length if isinstance(answer, r.ListLengthHit) else None

    async def sorted_set_put(self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a sorted set, which is created if it does not exist, and replace existing scores. If an
        element occurs twice, its last score wins.

        `elements`: The elements with their scores, in this order. There may be none.

        `ttl`: The time to live of the sorted set, and whether an existing sorted set gets it too. If None, the client's
        default is used, and an existing sorted set gets it too.
        """
        checked(await self._results.sorted_set_put(name, elements, ttl=ttl))

    async def sorted_set_fetch_by_rank(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        start: int | None = None,
        end: int | None = None,
    ) -> list[r.ScoredElement] | None:
        """Get the elements of a sorted set from one index to another, with scores, in the requested order.

        `order`: The order in which elements are counted and returned.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.

        Returns the elements with their scores, in the requested order. None on a miss.
        """
        answer = checked(await self._results.sorted_set_fetch_by_rank(name, order=order, start=start, end=end))
        return answer.elements if isinstance(answer, r.SortedSetFetchHit) else None

    async def sorted_set_fetch_by_score(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        min: AnyBound | None = None,
        max: AnyBound | None = None,
        offset: int = 0,
        count: int = -1,
    ) -> list[r.ScoredElement] | None:
        """Get the elements of a sorted set whose score is in a range, with scores, in the requested order.

        `order`: The order in which elements are counted and returned.

        `min`: The lowest score, inclusive or exclusive. If None, there is no lower bound.

        `max`: The highest score, inclusive or exclusive. If None, there is no upper bound.

        `offset`: The number of elements to skip first, in the requested order.

        `count`: The maximum number of elements; unlimited if negative.

        Returns the elements with their scores, in the requested order. None on a miss.
        """
        answer = checked(
            await self._results.sorted_set_fetch_by_score(
                name, order=order, min=min, max=max, offset=offset, count=count
            )
        )
        return answer.elements if isinstance(answer, r.SortedSetFetchHit) else None

    async def sorted_set_get_score(self, name: Key, elements: Iterable[Value]) -> list[float | None] | None:
        """Get the scores of elements.

        `elements`: The elements, in the order of the results.

        Returns one entry for each requested element, in the same order; None for each missing one. None on a miss.
        """
        answer = checked(await self._results.sorted_set_get_score(name, elements))
        return answer.scores if isinstance(answer, r.SortedSetGetScoreHit) else None

    async def sorted_set_get_rank(
        self, name: Key, element: Value, *, order: SortedSetOrder = SortedSetOrder.ASCENDING
    ) -> int | None:
        """Get the rank of an element: the number of elements before it in the requested order.

        `element`: The element.

        `order`: The order in which elements are counted.

        Returns the number of elements before this element in the requested order. None on a miss.
        """
        answer = checked(await self._results.sorted_set_get_rank(name, element, order=order))
        return answer.rank if isinstance(answer, r.SortedSetGetRankHit) else None

    async def sorted_set_increment(
        self, name: Key, element: Value, amount: float = 1.0, *, ttl: AnyTtl | None = None
    ) -> float:
        """Add an amount to the score of an element. A missing element is added with the amount as its score. The client
        does not retry this call if it may have run.

        `element`: The element.

        `amount`: The amount to add: finite or infinite, but not NaN.

        `ttl`: The time to live of the sorted set, and whether an existing sorted set gets it too. If None, the client's
        default is used, and an existing sorted set gets it too.

        Returns the score after the increment.
        """
        return checked(await self._results.sorted_set_increment(name, element, amount, ttl=ttl)).score

    async def sorted_set_remove(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements of a sorted set. Succeeds even if they do not exist.

        `elements`: The elements, which need not exist.
        """
        checked(await self._results.sorted_set_remove(name, elements))

    async def sorted_set_length(self, name: Key) -> int | None:
        """Get the number of elements of a sorted set.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.sorted_set_length(name))
        return answer.length if isinstance(answer, r.SortedSetLengthHit) else None

    async def sorted_set_length_by_score(
        self, name: Key, *, min: AnyBound | None = None, max: AnyBound | None = None
    ) -> int | None:
        """Get the number of elements of a sorted set whose score is in a range.

        `min`: The lowest score, inclusive or exclusive. If None, there is no lower bound.

        `max`: The highest score, inclusive or exclusive. If None, there is no upper bound.

        Returns the number of elements. None on a miss.
        """
        answer = checked(await self._results.sorted_set_length_by_score(name, min=min, max=max))
        return answer.length if isinstance(answer, r.SortedSetLengthByScoreHit) else None

    async def sorted_set_union_store(
        self,
        name: Key,
        sources: SortedSetSources,
        *,
        aggregate: SortedSetAggregate = SortedSetAggregate.SUM,
        ttl: Ttl | None = None,
    ) -> int:
        """Store the union of sorted sets with its own TTL, and replace an existing sorted set. The client does not
        retry this call if it may have run.

        `sources`: The sorted sets to unite, each with its weight. At least one.

        `aggregate`: How the weighted scores of one element in several sources are combined.

        `ttl`: The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If
        None, the client's default is used.

        Returns the number of elements in the union; if it is 0, the sorted set no longer exists.
        """
        return checked(await self._results.sorted_set_union_store(name, sources, aggregate=aggregate, ttl=ttl)).length

    async def dictionary_set_field(self, name: Key, field: Key, value: Value, *, ttl: AnyTtl | None = None) -> None:
        """Store a field of a dictionary. The dictionary is created if it does not exist."""
        checked(await self._results.dictionary_set_field(name, field, value, ttl=ttl))

    async def dictionary_set_fields(self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None) -> None:
        """Store fields of a dictionary. Alias of `dictionary_set`."""
        checked(await self._results.dictionary_set_fields(name, items, ttl=ttl))

    async def dictionary_get_field(self, name: Key, field: Key) -> bytes | None:
        """Get a field of a dictionary. The response is a miss if the field or the dictionary does not exist.

        Returns None on a miss.
        """
        answer = checked(await self._results.dictionary_get_field(name, field))
        return answer.value if isinstance(answer, r.Hit) else None

    async def dictionary_get_fields(self, name: Key, fields: Iterable[Key]) -> list[bytes | None] | None:
        """Get fields of a dictionary in the requested order. Alias of `dictionary_get`.

        Returns one entry for each requested field, in the same order; None for each missing one. None on a miss.
        """
        answer = checked(await self._results.dictionary_get_fields(name, fields))
        return answer.values if isinstance(answer, r.DictionaryGetHit) else None

    async def dictionary_remove_field(self, name: Key, field: Key) -> None:
        """Remove a field of a dictionary. Succeeds even if the field does not exist."""
        checked(await self._results.dictionary_remove_field(name, field))

    async def dictionary_remove_fields(self, name: Key, fields: Iterable[Key]) -> None:
        """Remove fields of a dictionary. Alias of `dictionary_remove`."""
        checked(await self._results.dictionary_remove_fields(name, fields))

    async def set_add_element(self, name: Key, element: Value, *, ttl: AnyTtl | None = None) -> None:
        """Add an element to a set. The set is created if it does not exist."""
        checked(await self._results.set_add_element(name, element, ttl=ttl))

    async def set_add_elements(self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a set. Alias of `set_union`."""
        checked(await self._results.set_add_elements(name, elements, ttl=ttl))

    async def set_remove_element(self, name: Key, element: Value) -> None:
        """Remove an element from a set. Succeeds even if the element does not exist."""
        checked(await self._results.set_remove_element(name, element))

    async def set_remove_elements(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements from a set. Alias of `set_difference`."""
        checked(await self._results.set_remove_elements(name, elements))

    async def set_contains_element(self, name: Key, element: Value) -> bool | None:
        """Check whether an element is in a set. The response is a miss if the set does not exist.

        Returns None on a miss.
        """
        answer = checked(await self._results.set_contains_element(name, element))
        return answer.contains if isinstance(answer, r.SetContainsElementHit) else None

    async def set_contains_elements(self, name: Key, elements: Iterable[Value]) -> list[bool] | None:
        """Check which of several elements are in a set. The results are in the order of `elements`.

        Alias of `set_contains`.

        Returns whether the set contains each element, in the order of the elements. None on a miss.
        """
        answer = checked(await self._results.set_contains_elements(name, elements))
        return answer.contains if isinstance(answer, r.SetContainsHit) else None

    async def sorted_set_put_element(
        self, name: Key, element: Value, score: float, *, ttl: AnyTtl | None = None
    ) -> None:
        """Add an element to a sorted set, or change the score of an existing one."""
        checked(await self._results.sorted_set_put_element(name, element, score, ttl=ttl))

    async def sorted_set_put_elements(self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a sorted set. Alias of `sorted_set_put`."""
        checked(await self._results.sorted_set_put_elements(name, elements, ttl=ttl))

    async def sorted_set_get_element_score(self, name: Key, element: Value) -> float | None:
        """Get the score of an element. The response is a miss if the element or the sorted set does not exist.

        Returns the score of the element, which may be infinite. None on a miss.
        """
        answer = checked(await self._results.sorted_set_get_element_score(name, element))
        return answer.score if isinstance(answer, r.SortedSetGetElementScoreHit) else None

    async def sorted_set_remove_element(self, name: Key, element: Value) -> None:
        """Remove an element of a sorted set. Succeeds even if the element does not exist."""
        checked(await self._results.sorted_set_remove_element(name, element))

    async def sorted_set_remove_elements(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements of a sorted set. Alias of `sorted_set_remove`."""
        checked(await self._results.sorted_set_remove_elements(name, elements))

    async def publish(self, topic: str, value: Value) -> None:
        """Publish a message to the subscribers of a topic, if any.

        The call is not retried if it may have been executed. A topic stores its newest messages for later subscribers:
        at most 1,000 messages and at most 1 MiB.

        Args:
            topic: The topic's name.
            value: The message, at most 1 MiB. Subscribers receive a str as str and bytes as bytes. A larger message
                fails with LIMIT_EXCEEDED.
        """
        checked(await self._results.publish(topic, value))
