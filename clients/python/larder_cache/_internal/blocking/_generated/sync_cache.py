"""The blocking handles of one cache.

Written by tools/python-sync; not edited by hand. Several threads may use a handle concurrently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from larder_cache import cache, cache_results
from larder_cache import responses as r
from larder_cache import typed_cache, typed_results
from larder_cache._internal.blocking.background_loop import drive, made_by
from larder_cache._internal.blocking.blocking_subscription import BlockingSubscription
from larder_cache._internal.client._generated.plain_calls import ValueAndHash, ValueAndLength
from larder_cache._internal.codecs.codec import Codec
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.operations.arguments import BatchItem, Key, Value
from larder_cache._internal.operations.collection_fields import (
    DictionaryItems,
    ListRanges,
    ScoredElements,
    SortedSetSources,
)
from larder_cache._internal.operations.typed_responses import TypedGetBatchSuccess, TypedHit
from larder_cache.collection_ttl import AnyTtl
from larder_cache.factory_context import FactoryContext
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.score_bound import AnyBound
from larder_cache.sorted_set_options import SortedSetAggregate, SortedSetOrder
from larder_cache.topic_start import TopicStart
from larder_cache.ttl import Ttl
from larder_cache.typed_results import TypedItem

D = TypeVar("D")
K = TypeVar("K", str, bytes)
V = TypeVar("V")


class Cache(Unpicklable):
    """The blocking larder_cache.Cache."""

    def __init__(self, asynchronous: cache.Cache) -> None:
        """Used by the client; a program calls `client.cache(name)`."""
        self._async = asynchronous

    @property
    def asynchronous(self) -> cache.Cache:
        """The asyncio handle, for framework adapters. Run its coroutines only with `background_loop.drive`."""
        return self._async

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._async.name

    @property
    def results(self) -> CacheResults:
        """The same methods with response objects as results, for use with `match`."""
        return CacheResults(self._async.results)

    def with_timeout(self, timeout_s: float | None) -> Cache:
        """Return a handle of the same cache whose calls have this deadline instead of the configured one.

        Args:
            timeout_s: The deadline in seconds, above 0 and at most 3,600. With any other number each call fails. None
                selects the configured timeout. Subscriptions have no deadline.

        Raises:
            TypeError: `timeout_s` is not a number.
        """
        return Cache(self._async.with_timeout(timeout_s))

    def typed(
        self,
        codec: Codec[V],
        *,
        compress_above: int | None = None,
        max_decoded_bytes: int = MOST_DECODED_BYTES,
        keep_objects: bool | None = None,
        object_bytes: Callable[[V], int] | None = None,
    ) -> TypedCache[V]:
        """Return a view of the cache whose values have one type, encoded by `codec` (larder_cache.codecs).

        Args:
            codec: The codec. It limits the number of elements and nesting levels of a value.
            compress_above: The size in bytes above which encoded values are compressed, if that makes them smaller.
                None disables compression.
            max_decoded_bytes: The maximum size of a value in bytes. Longer values are neither stored nor read. The
                default is 8 MiB.
            keep_objects: Whether the near cache keeps decoded values, so that its hits do not decode them again. All
                callers then get the same object and must not change it. None keeps only values that cannot be changed:
                str, bytes, int, float, bool and None. A value is kept for the codec that decoded it, so create the
                codec once.
            object_bytes: Returns the memory that a kept value uses, in bytes. It counts against the near cache's
                `max_bytes`, in addition to the encoded value. None uses the size of the encoded value.
        """
        return TypedCache(
            self._async.typed(
                codec,
                compress_above=compress_above,
                max_decoded_bytes=max_decoded_bytes,
                keep_objects=keep_objects,
                object_bytes=object_bytes,
            )
        )

    def try_get_near(self, key: Key) -> bytes | None:
        """Return the value of a key from the near cache without calling the server, or None if there is no valid copy.

        Thread-safe. Raises TypeError if the key is not a string or bytes.
        """
        return self._async.try_get_near(key)

    @overload
    def get(self, key: Key) -> bytes | None:
        ...

    @overload
    def get(self, key: Key, default: D) -> bytes | D:
        ...

    def get(self, key: Key, default: Any = None) -> Any:
        """Get a value. Returns `default` on a miss."""
        return drive(self._async.get(key, default))

    def get_or_set(
        self, key: Key, factory: Callable[[], Value], *, ttl: Ttl | None = None, options: GetOrSetOptions | None = None
    ) -> bytes:
        """Return the value of a key. On a miss run `factory`, store its value and return it.

        Concurrent callers for the same key share one call of the factory, even if they use different handles of this
        client. Each of them gets the factory's value or its exception. If the cache fails, the factory's value is
        returned but not stored.

        Args:
            factory: Loads the value.
            ttl: The time to live of a new value. None selects the client's default.
            options: Leases across processes, stale values, early refresh, and tags.

        Raises:
            CacheError: The cache's name, the key or an option is invalid.
        """
        return drive(self._async.get_or_set(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[bytes]], Value],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """Return the value of a key. On a miss load it with a factory that receives a context.

        The context contains the stale value, if there is one. The factory can declare that the stale value is still
        valid, and decide how its result is stored. Everything else is as in `get_or_set`.

        Args:
            factory: Loads the value. Its argument is a FactoryContext.
            ttl: The time to live of a new value. None selects the client's default.
            options: Stale values, early refresh, and tags. None selects `GetOrSetOptions()`.

        Raises:
            CacheError: The cache's name, the key, an option or a setting of the context is invalid.
        """
        return drive(self._async.get_or_set_with_context(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Sequence[Value]], *, ttl: Ttl | None = None
    ) -> dict[K, bytes]:
        """Return the values by key. One call of `factory` loads all missing values, which are then stored.

        One call reads all values, and one call stores the new ones. Concurrent callers that miss the same keys each run
        their own factory. If the cache fails, the factory's values are returned but not stored.

        Args:
            factory: Receives the distinct missing keys and returns one value for each, in the same order.
            ttl: The time to live of new values. None selects the client's default.

        Raises:
            CacheError: The cache's name or a key is invalid.
            ValueError: The factory returned a different number of values.
        """
        return drive(self._async.get_or_set_batch(keys, made_by(factory), ttl=ttl))

    def get_batch(self, keys: Iterable[K]) -> dict[K, bytes]:
        """Get many values in one call.

        Returns the existing values by key, with the keys in the form in which the caller passed them.
        """
        return drive(self._async.get_batch(keys))

    def delete_each(self, keys: Iterable[Key]) -> None:
        """Remove many items concurrently. Raises the first error after all keys have been tried."""
        return drive(self._async.delete_each(keys))

    def set_with_hash(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bytes:
        """Store a value unconditionally and return its hash.

        `ttl` is the value's time to live. None selects the client's default.
        """
        return drive(self._async.set_with_hash(key, value, ttl=ttl))

    def update_ttl_if_prefix(self, key: Key, prefix: Value, *, ttl: Ttl | None = None) -> bool:
        """Set the time to live of an item if its value begins with `prefix`.

        Returns whether the time to live was set. `prefix` has at most 64 bytes. `ttl` is the time to live. None selects
        the client's default. The method of the same name in `results` also returns the beginning of a value that does
        not match.
        """
        return drive(self._async.update_ttl_if_prefix(key, prefix, ttl=ttl))

    def subscribe(
        self,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> BlockingSubscription:
        """Subscribe to a topic. See `CacheResults.subscribe`."""
        return BlockingSubscription(
            self._async.subscribe(topic, resume_at=resume_at, page=page, start=start, heartbeats=heartbeats)
        )

    def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> None:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        return drive(self._async.set(key, value, ttl=ttl))

    def set_batch(
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
        return drive(self._async.set_batch(items, ttl=ttl))

    def keys_exist(self, keys: Iterable[Key]) -> list[bool]:
        """Check which of the keys exist. The results are in the order of the keys.

        A request of more than 11,010,048 bytes is sent in parts within one deadline, like a batch of `set_batch`.
        """
        return drive(self._async.keys_exist(keys))

    def key_exists(self, key: Key) -> bool:
        """Check whether a key exists."""
        return drive(self._async.key_exists(key))

    def scan_keys(
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
        return drive(self._async.scan_keys(prefix, type=type, cursor=cursor, count=count))

    def scan_items(
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
        return drive(self._async.scan_items(name, cursor=cursor, count=count))

    def set_with_tags(self, key: Key, value: Value, tags: Iterable[Key], *, ttl: Ttl | None = None) -> None:
        """Store a value with tags, unconditionally. `remove_by_tag` with any of the tags removes the item.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. If the server does not support tags, the call fails with
        UNKNOWN and nothing is stored.
        """
        return drive(self._async.set_with_tags(key, value, tags, ttl=ttl))

    def remove_by_tag(self, tags: Iterable[Key]) -> None:
        """Remove every item that has any of the tags.

        This is one call. Its cost does not depend on the number of items.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. All near-cache copies of the cache are removed. If the
        server does not support tags, the call fails with UNKNOWN.
        """
        return drive(self._async.remove_by_tag(tags))

    def delete(self, key: Key) -> None:
        """Delete an item. Succeeds even if the item does not exist."""
        return drive(self._async.delete(key))

    def increment(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Add to an integer item, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `amount`: The amount to add, which may be negative.

        `keep_ttl`: Whether an existing item keeps its remaining TTL; `ttl` then applies only to a new item. By default,
        each increment sets the TTL again.

        Returns the value after the increment.
        """
        return drive(self._async.increment(key, amount, ttl=ttl, keep_ttl=keep_ttl))

    def item_get_ttl(self, key: Key) -> float | None:
        """Get the remaining TTL of an item.

        Returns the time until the item expires, rounded down to milliseconds, in seconds. None on a miss.
        """
        return drive(self._async.item_get_ttl(key))

    def item_get_type(self, key: Key) -> r.ItemType | None:
        """Get the type of an item.

        Returns the type of the item. None on a miss.
        """
        return drive(self._async.item_get_type(key))

    def get_with_hash(self, key: Key) -> ValueAndHash | None:
        """Get an item's value and its hash, for a later conditional write that compares the hash.

        Returns the value and the hash. None on a miss.
        """
        return drive(self._async.get_with_hash(key))

    def update_ttl(self, key: Key, ttl: Ttl) -> bool:
        """Replace the TTL of an item.

        Returns whether the TTL was changed.
        """
        return drive(self._async.update_ttl(key, ttl))

    def increase_ttl(self, key: Key, ttl: Ttl) -> bool:
        """Replace the TTL of an item if the new TTL is longer than the remaining TTL.

        Returns whether the TTL was changed.
        """
        return drive(self._async.increase_ttl(key, ttl))

    def decrease_ttl(self, key: Key, ttl: Ttl) -> bool:
        """Replace the TTL of an item if the new TTL is shorter than the remaining TTL.

        Returns whether the TTL was changed.
        """
        return drive(self._async.decrease_ttl(key, ttl))

    def set_if_absent(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key does not exist.

        Returns whether the value was stored.
        """
        return drive(self._async.set_if_absent(key, value, ttl=ttl))

    def set_if_present(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key exists.

        Returns whether the value was stored.
        """
        return drive(self._async.set_if_present(key, value, ttl=ttl))

    def set_if_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the current value is exactly `equal`.

        Returns whether the value was stored.
        """
        return drive(self._async.set_if_equal(key, value, equal, ttl=ttl))

    def set_if_not_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key is missing or its value is not exactly `equal`.

        Returns whether the value was stored.
        """
        return drive(self._async.set_if_not_equal(key, value, equal, ttl=ttl))

    def set_if_present_and_not_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key exists and its value is not exactly `equal`.

        Returns whether the value was stored.
        """
        return drive(self._async.set_if_present_and_not_equal(key, value, equal, ttl=ttl))

    def set_if_absent_or_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> bool:
        """Store the value if the key is missing or its value is exactly `equal`.

        Returns whether the value was stored.
        """
        return drive(self._async.set_if_absent_or_equal(key, value, equal, ttl=ttl))

    def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the current value has the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        return drive(self._async.set_if_present_and_hash_equal(key, value, hash, ttl=ttl))

    def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the key exists and its value does not have the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        return drive(self._async.set_if_present_and_not_hash_equal(key, value, hash, ttl=ttl))

    def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the key is missing or its value has the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        return drive(self._async.set_if_absent_or_hash_equal(key, value, hash, ttl=ttl))

    def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> bytes | None:
        """Store the value if the key is missing or its value does not have the given hash.

        Returns the hash of the value now stored. None if it was not stored.
        """
        return drive(self._async.set_if_absent_or_not_hash_equal(key, value, hash, ttl=ttl))

    def dictionary_get(self, name: Key, fields: Iterable[Key]) -> list[bytes | None] | None:
        """Get fields of a dictionary.

        `fields`: The fields, in the order of the results.

        Returns one entry for each requested field, in the same order; None for each missing one. None on a miss.
        """
        return drive(self._async.dictionary_get(name, fields))

    def dictionary_fetch(self, name: Key) -> dict[bytes, bytes] | None:
        """Get all fields of a dictionary, in no particular order.

        Returns all fields, read atomically. None on a miss.
        """
        return drive(self._async.dictionary_fetch(name))

    def dictionary_set(self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None) -> None:
        """Store fields of a dictionary, which is created if it does not exist. If a field occurs twice, its last value
        wins.

        `items`: The fields with their values, stored in this order. There may be none.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.
        """
        return drive(self._async.dictionary_set(name, items, ttl=ttl))

    def dictionary_increment(self, name: Key, field: Key, amount: int = 1, *, ttl: AnyTtl | None = None) -> int:
        """Add to an integer field, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `field`: The name of the field: at least one byte.

        `amount`: The amount to add, which may be negative or 0.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.

        Returns the field's value after the increment.
        """
        return drive(self._async.dictionary_increment(name, field, amount, ttl=ttl))

    def dictionary_delete(self, name: Key) -> None:
        """Delete a dictionary. Succeeds even if it does not exist."""
        return drive(self._async.dictionary_delete(name))

    def dictionary_remove(self, name: Key, fields: Iterable[Key]) -> None:
        """Remove fields of a dictionary. Succeeds even if they do not exist.

        `fields`: The fields, which need not exist.
        """
        return drive(self._async.dictionary_remove(name, fields))

    def dictionary_length(self, name: Key) -> int | None:
        """Get the number of fields of a dictionary.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.dictionary_length(name))

    def set_fetch(self, name: Key) -> list[bytes] | None:
        """Get all elements of a set, in no particular order.

        Returns the elements. None on a miss.
        """
        return drive(self._async.set_fetch(name))

    def set_sample(self, name: Key, limit: int) -> list[bytes] | None:
        """Get distinct random elements of a set.

        `limit`: The maximum number of elements. If it is 0, the call only checks whether the set exists.

        Returns the elements. None on a miss.
        """
        return drive(self._async.set_sample(name, limit))

    def set_union(self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a set, which is created if it does not exist.

        `elements`: The elements. There may be none.

        `ttl`: The time to live of the set, and whether an existing set gets it too. If None, the client's default is
        used, and an existing set gets it too.
        """
        return drive(self._async.set_union(name, elements, ttl=ttl))

    def set_difference(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements from a set. Succeeds even if they do not exist.

        `elements`: The elements. There may be none.
        """
        return drive(self._async.set_difference(name, elements))

    def set_difference_from(self, name: Key, elements: Iterable[Value]) -> None:
        """Replace a set with the given elements that the set does not contain. The client does not retry this call if
        it may have run.

        `elements`: The elements. There may be none.
        """
        return drive(self._async.set_difference_from(name, elements))

    def set_contains(self, name: Key, elements: Iterable[Value]) -> list[bool] | None:
        """Check which elements a set contains.

        `elements`: The elements, in the order of the results.

        Returns whether the set contains each element, in the order of the elements. None on a miss.
        """
        return drive(self._async.set_contains(name, elements))

    def set_length(self, name: Key) -> int | None:
        """Get the number of elements of a set.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.set_length(name))

    def set_pop(self, name: Key, count: int = 1) -> list[bytes] | None:
        """Remove distinct random elements of a set and return them. The client does not retry this call if it may have
        run.

        `count`: The maximum number of elements: 1 or more.

        Returns the elements. None on a miss.
        """
        return drive(self._async.set_pop(name, count))

    def list_push_front(
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
        return drive(self._async.list_push_front(name, value, truncate_back_to_size=truncate_back_to_size, ttl=ttl))

    def list_push_back(
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
        return drive(self._async.list_push_back(name, value, truncate_front_to_size=truncate_front_to_size, ttl=ttl))

    def list_concatenate_front(
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
        return drive(
            self._async.list_concatenate_front(name, values, truncate_back_to_size=truncate_back_to_size, ttl=ttl)
        )

    def list_concatenate_back(
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
        return drive(
            self._async.list_concatenate_back(name, values, truncate_front_to_size=truncate_front_to_size, ttl=ttl)
        )

    def list_pop_front(self, name: Key) -> ValueAndLength | None:
        """Remove the first element of a list and return it. The client does not retry this call if it may have run.

        Returns the value and the length. None on a miss.
        """
        return drive(self._async.list_pop_front(name))

    def list_pop_back(self, name: Key) -> ValueAndLength | None:
        """Remove the last element of a list and return it. The client does not retry this call if it may have run.

        Returns the value and the length. None on a miss.
        """
        return drive(self._async.list_pop_back(name))

    def list_fetch(self, name: Key, *, start: int | None = None, end: int | None = None) -> list[bytes] | None:
        """Get a slice of a list, in order.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.

        Returns the elements. None on a miss.
        """
        return drive(self._async.list_fetch(name, start=start, end=end))

    def list_retain(
        self, name: Key, *, start: int | None = None, end: int | None = None, ttl: AnyTtl | None = None
    ) -> int | None:
        """Keep a slice of a list and remove the rest. The client does not retry this call if it may have run.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.

        `ttl`: The new time to live of the list. Ignored if its refresh flag is false. If None, the old one is kept.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.list_retain(name, start=start, end=end, ttl=ttl))

    def list_remove(self, name: Key, value: Value) -> int | None:
        """Remove every element of a list that equals a value.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.list_remove(name, value))

    def list_erase(self, name: Key, ranges: ListRanges) -> int | None:
        """Remove ranges of a list. The client does not retry this call if it may have run.

        `ranges`: The ranges, which may overlap. There may be none.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.list_erase(name, ranges))

    def list_length(self, name: Key) -> int | None:
        """Get the number of elements of a list.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.list_length(name))

    def sorted_set_put(self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a sorted set, which is created if it does not exist, and replace existing scores. If an
        element occurs twice, its last score wins.

        `elements`: The elements with their scores, in this order. There may be none.

        `ttl`: The time to live of the sorted set, and whether an existing sorted set gets it too. If None, the client's
        default is used, and an existing sorted set gets it too.
        """
        return drive(self._async.sorted_set_put(name, elements, ttl=ttl))

    def sorted_set_fetch_by_rank(
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
        return drive(self._async.sorted_set_fetch_by_rank(name, order=order, start=start, end=end))

    def sorted_set_fetch_by_score(
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
        return drive(
            self._async.sorted_set_fetch_by_score(name, order=order, min=min, max=max, offset=offset, count=count)
        )

    def sorted_set_get_score(self, name: Key, elements: Iterable[Value]) -> list[float | None] | None:
        """Get the scores of elements.

        `elements`: The elements, in the order of the results.

        Returns one entry for each requested element, in the same order; None for each missing one. None on a miss.
        """
        return drive(self._async.sorted_set_get_score(name, elements))

    def sorted_set_get_rank(
        self, name: Key, element: Value, *, order: SortedSetOrder = SortedSetOrder.ASCENDING
    ) -> int | None:
        """Get the rank of an element: the number of elements before it in the requested order.

        `element`: The element.

        `order`: The order in which elements are counted.

        Returns the number of elements before this element in the requested order. None on a miss.
        """
        return drive(self._async.sorted_set_get_rank(name, element, order=order))

    def sorted_set_increment(
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
        return drive(self._async.sorted_set_increment(name, element, amount, ttl=ttl))

    def sorted_set_remove(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements of a sorted set. Succeeds even if they do not exist.

        `elements`: The elements, which need not exist.
        """
        return drive(self._async.sorted_set_remove(name, elements))

    def sorted_set_length(self, name: Key) -> int | None:
        """Get the number of elements of a sorted set.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.sorted_set_length(name))

    def sorted_set_length_by_score(
        self, name: Key, *, min: AnyBound | None = None, max: AnyBound | None = None
    ) -> int | None:
        """Get the number of elements of a sorted set whose score is in a range.

        `min`: The lowest score, inclusive or exclusive. If None, there is no lower bound.

        `max`: The highest score, inclusive or exclusive. If None, there is no upper bound.

        Returns the number of elements. None on a miss.
        """
        return drive(self._async.sorted_set_length_by_score(name, min=min, max=max))

    def sorted_set_union_store(
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
        return drive(self._async.sorted_set_union_store(name, sources, aggregate=aggregate, ttl=ttl))

    def dictionary_set_field(self, name: Key, field: Key, value: Value, *, ttl: AnyTtl | None = None) -> None:
        """Store a field of a dictionary. The dictionary is created if it does not exist."""
        return drive(self._async.dictionary_set_field(name, field, value, ttl=ttl))

    def dictionary_set_fields(self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None) -> None:
        """Store fields of a dictionary. Alias of `dictionary_set`."""
        return drive(self._async.dictionary_set_fields(name, items, ttl=ttl))

    def dictionary_get_field(self, name: Key, field: Key) -> bytes | None:
        """Get a field of a dictionary. The response is a miss if the field or the dictionary does not exist.

        Returns None on a miss.
        """
        return drive(self._async.dictionary_get_field(name, field))

    def dictionary_get_fields(self, name: Key, fields: Iterable[Key]) -> list[bytes | None] | None:
        """Get fields of a dictionary in the requested order. Alias of `dictionary_get`.

        Returns one entry for each requested field, in the same order; None for each missing one. None on a miss.
        """
        return drive(self._async.dictionary_get_fields(name, fields))

    def dictionary_remove_field(self, name: Key, field: Key) -> None:
        """Remove a field of a dictionary. Succeeds even if the field does not exist."""
        return drive(self._async.dictionary_remove_field(name, field))

    def dictionary_remove_fields(self, name: Key, fields: Iterable[Key]) -> None:
        """Remove fields of a dictionary. Alias of `dictionary_remove`."""
        return drive(self._async.dictionary_remove_fields(name, fields))

    def set_add_element(self, name: Key, element: Value, *, ttl: AnyTtl | None = None) -> None:
        """Add an element to a set. The set is created if it does not exist."""
        return drive(self._async.set_add_element(name, element, ttl=ttl))

    def set_add_elements(self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a set. Alias of `set_union`."""
        return drive(self._async.set_add_elements(name, elements, ttl=ttl))

    def set_remove_element(self, name: Key, element: Value) -> None:
        """Remove an element from a set. Succeeds even if the element does not exist."""
        return drive(self._async.set_remove_element(name, element))

    def set_remove_elements(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements from a set. Alias of `set_difference`."""
        return drive(self._async.set_remove_elements(name, elements))

    def set_contains_element(self, name: Key, element: Value) -> bool | None:
        """Check whether an element is in a set. The response is a miss if the set does not exist.

        Returns None on a miss.
        """
        return drive(self._async.set_contains_element(name, element))

    def set_contains_elements(self, name: Key, elements: Iterable[Value]) -> list[bool] | None:
        """Check which of several elements are in a set. The results are in the order of `elements`.

        Alias of `set_contains`.

        Returns whether the set contains each element, in the order of the elements. None on a miss.
        """
        return drive(self._async.set_contains_elements(name, elements))

    def sorted_set_put_element(self, name: Key, element: Value, score: float, *, ttl: AnyTtl | None = None) -> None:
        """Add an element to a sorted set, or change the score of an existing one."""
        return drive(self._async.sorted_set_put_element(name, element, score, ttl=ttl))

    def sorted_set_put_elements(self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None) -> None:
        """Add elements to a sorted set. Alias of `sorted_set_put`."""
        return drive(self._async.sorted_set_put_elements(name, elements, ttl=ttl))

    def sorted_set_get_element_score(self, name: Key, element: Value) -> float | None:
        """Get the score of an element. The response is a miss if the element or the sorted set does not exist.

        Returns the score of the element, which may be infinite. None on a miss.
        """
        return drive(self._async.sorted_set_get_element_score(name, element))

    def sorted_set_remove_element(self, name: Key, element: Value) -> None:
        """Remove an element of a sorted set. Succeeds even if the element does not exist."""
        return drive(self._async.sorted_set_remove_element(name, element))

    def sorted_set_remove_elements(self, name: Key, elements: Iterable[Value]) -> None:
        """Remove elements of a sorted set. Alias of `sorted_set_remove`."""
        return drive(self._async.sorted_set_remove_elements(name, elements))

    def publish(self, topic: str, value: Value) -> None:
        """Publish a message to the subscribers of a topic, if any.

        The call is not retried if it may have been executed. A topic stores its newest messages for later subscribers:
        at most 1,000 messages and at most 1 MiB.

        Args:
            topic: The topic's name.
            value: The message, at most 1 MiB. Subscribers receive a str as str and bytes as bytes. A larger message
                fails with LIMIT_EXCEEDED.
        """
        return drive(self._async.publish(topic, value))


class CacheResults(Unpicklable):
    """The blocking larder_cache.CacheResults."""

    def __init__(self, asynchronous: cache_results.CacheResults) -> None:
        """Used by the client; a program calls `client.cache(name)`."""
        self._async = asynchronous

    def try_get_near(self, key: Key) -> bytes | None:
        """Return the value of a key from the near cache without calling the server, or None if there is no valid copy.

        Thread-safe. Raises TypeError if the key is not a string or bytes.
        """
        return self._async.try_get_near(key)

    def get(self, key: Key) -> r.GetResponse:
        """Get a value. Returns a Hit or a Miss."""
        return drive(self._async.get(key))

    def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.SetResponse:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        return drive(self._async.set(key, value, ttl=ttl))

    def get_or_set(
        self, key: Key, factory: Callable[[], Value], *, ttl: Ttl | None = None, options: GetOrSetOptions | None = None
    ) -> bytes:
        """Return the value of a key. On a miss run `factory`, store its value and return it. See `Cache.get_or_set`."""
        return drive(self._async.get_or_set(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[bytes]], Value],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """Return the value of a key, loaded with a lease and a factory that receives a FactoryContext.

        See `Cache.get_or_set_with_context`.
        """
        return drive(self._async.get_or_set_with_context(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Sequence[Value]], *, ttl: Ttl | None = None
    ) -> list[bytes]:
        """Return the values in the order of the keys. `factory` loads the missing values.

        See `Cache.get_or_set_batch`.
        """
        return drive(self._async.get_or_set_batch(keys, made_by(factory), ttl=ttl))

    def get_batch(self, keys: Iterable[Key]) -> r.GetBatchResponse:
        """Get many values in one call, in the order of the keys.

        A batch of more than 11,010,048 bytes is sent in parts within one deadline. If only some parts fail, each key of
        a failed part gets the Error of its part.
        """
        return drive(self._async.get_batch(keys))

    def set_batch(
        self, items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem], *, ttl: Ttl | None = None
    ) -> r.SetBatchResponse:
        """Store many values in one call.

        Args:
            items: A mapping, or (key, value) or (key, value, ttl) tuples.
            ttl: The time to live of the items that have no time to live of their own. None selects the client's
                default.

        A batch of more than 11,010,048 bytes is sent in parts within one deadline. If parts fail, the error of the
        first failed part is returned. The other parts are stored.
        """
        return drive(self._async.set_batch(items, ttl=ttl))

    def keys_exist(self, keys: Iterable[Key]) -> r.KeysExistResponse:
        """Check which of the keys exist. The results are in the order of the keys.

        A request of more than 11,010,048 bytes is sent in parts within one deadline, like a batch of `set_batch`.
        """
        return drive(self._async.keys_exist(keys))

    def key_exists(self, key: Key) -> r.KeyExistsResponse:
        """Check whether a key exists."""
        return drive(self._async.key_exists(key))

    def delete_each(self, keys: Iterable[Key]) -> list[r.DeleteResponse]:
        """Remove many items concurrently.

        Returns a response for each key, in order. If one key is invalid, no item is removed and the result is a single
        Error.
        """
        return drive(self._async.delete_each(keys))

    def scan_keys(
        self, prefix: Key = b"", *, type: r.ItemType | None = None, cursor: bytes = b"", count: int = 0
    ) -> r.ScanKeysResponse:
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
        return drive(self._async.scan_keys(prefix, type=type, cursor=cursor, count=count))

    def scan_items(self, name: Key, *, cursor: bytes = b"", count: int = 0) -> r.ScanItemsResponse:
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
        """
        return drive(self._async.scan_items(name, cursor=cursor, count=count))

    def set_with_tags(self, key: Key, value: Value, tags: Iterable[Key], *, ttl: Ttl | None = None) -> r.SetResponse:
        """Store a value with tags, unconditionally. `remove_by_tag` with any of the tags removes the item.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. If the server does not support tags, the call fails with
        UNKNOWN and nothing is stored.
        """
        return drive(self._async.set_with_tags(key, value, tags, ttl=ttl))

    def remove_by_tag(self, tags: Iterable[Key]) -> r.RemoveByTagResponse:
        """Remove every item that has any of the tags.

        This is one call. Its cost does not depend on the number of items.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. All near-cache copies of the cache are removed. If the
        server does not support tags, the call fails with UNKNOWN.
        """
        return drive(self._async.remove_by_tag(tags))

    def delete(self, key: Key) -> r.DeleteResponse:
        """Delete an item. Succeeds even if the item does not exist."""
        return drive(self._async.delete(key))

    def increment(
        self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False
    ) -> r.IncrementResponse:
        """Add to an integer item, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `amount`: The amount to add, which may be negative.

        `keep_ttl`: Whether an existing item keeps its remaining TTL; `ttl` then applies only to a new item. By default,
        each increment sets the TTL again.
        """
        return drive(self._async.increment(key, amount, ttl=ttl, keep_ttl=keep_ttl))

    def item_get_ttl(self, key: Key) -> r.ItemGetTtlResponse:
        """Get the remaining TTL of an item."""
        return drive(self._async.item_get_ttl(key))

    def item_get_type(self, key: Key) -> r.ItemGetTypeResponse:
        """Get the type of an item."""
        return drive(self._async.item_get_type(key))

    def get_with_hash(self, key: Key) -> r.GetWithHashResponse:
        """Get an item's value and its hash, for a later conditional write that compares the hash."""
        return drive(self._async.get_with_hash(key))

    def update_ttl(self, key: Key, ttl: Ttl) -> r.UpdateTtlResponse:
        """Replace the TTL of an item."""
        return drive(self._async.update_ttl(key, ttl))

    def increase_ttl(self, key: Key, ttl: Ttl) -> r.UpdateTtlResponse:
        """Replace the TTL of an item if the new TTL is longer than the remaining TTL."""
        return drive(self._async.increase_ttl(key, ttl))

    def decrease_ttl(self, key: Key, ttl: Ttl) -> r.UpdateTtlResponse:
        """Replace the TTL of an item if the new TTL is shorter than the remaining TTL."""
        return drive(self._async.decrease_ttl(key, ttl))

    def update_ttl_if_prefix(self, key: Key, prefix: Value, *, ttl: Ttl | None = None) -> r.UpdateTtlIfPrefixResponse:
        """Replace the TTL of an item if its value begins with `prefix`. If the value begins differently, the response
        contains its first bytes.
        """
        return drive(self._async.update_ttl_if_prefix(key, prefix, ttl=ttl))

    def set_if_absent(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.SetIfResponse:
        """Store the value if the key does not exist."""
        return drive(self._async.set_if_absent(key, value, ttl=ttl))

    def set_if_present(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.SetIfResponse:
        """Store the value if the key exists."""
        return drive(self._async.set_if_present(key, value, ttl=ttl))

    def set_if_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> r.SetIfResponse:
        """Store the value if the current value is exactly `equal`."""
        return drive(self._async.set_if_equal(key, value, equal, ttl=ttl))

    def set_if_not_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> r.SetIfResponse:
        """Store the value if the key is missing or its value is not exactly `equal`."""
        return drive(self._async.set_if_not_equal(key, value, equal, ttl=ttl))

    def set_if_present_and_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.SetIfResponse:
        """Store the value if the key exists and its value is not exactly `equal`."""
        return drive(self._async.set_if_present_and_not_equal(key, value, equal, ttl=ttl))

    def set_if_absent_or_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.SetIfResponse:
        """Store the value if the key is missing or its value is exactly `equal`."""
        return drive(self._async.set_if_absent_or_equal(key, value, equal, ttl=ttl))

    def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the current value has the given hash."""
        return drive(self._async.set_if_present_and_hash_equal(key, value, hash, ttl=ttl))

    def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the key exists and its value does not have the given hash."""
        return drive(self._async.set_if_present_and_not_hash_equal(key, value, hash, ttl=ttl))

    def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the key is missing or its value has the given hash."""
        return drive(self._async.set_if_absent_or_hash_equal(key, value, hash, ttl=ttl))

    def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the key is missing or its value does not have the given hash."""
        return drive(self._async.set_if_absent_or_not_hash_equal(key, value, hash, ttl=ttl))

    def set_with_hash(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.SetIfHashResponse:
        """Store the value unconditionally and return the hash of the value. A correct server never reports that the
        value was not stored.
        """
        return drive(self._async.set_with_hash(key, value, ttl=ttl))

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._async.name

    def with_timeout(self, timeout_s: float | None) -> CacheResults:
        """Return a copy whose calls have this deadline, in seconds. See `Cache.with_timeout`."""
        return CacheResults(self._async.with_timeout(timeout_s))

    def dictionary_get(self, name: Key, fields: Iterable[Key]) -> r.DictionaryGetResponse:
        """Get fields of a dictionary.

        `fields`: The fields, in the order of the results.
        """
        return drive(self._async.dictionary_get(name, fields))

    def dictionary_fetch(self, name: Key) -> r.DictionaryFetchResponse:
        """Get all fields of a dictionary, in no particular order."""
        return drive(self._async.dictionary_fetch(name))

    def dictionary_set(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None
    ) -> r.DictionarySetResponse:
        """Store fields of a dictionary, which is created if it does not exist. If a field occurs twice, its last value
        wins.

        `items`: The fields with their values, stored in this order. There may be none.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.
        """
        return drive(self._async.dictionary_set(name, items, ttl=ttl))

    def dictionary_increment(
        self, name: Key, field: Key, amount: int = 1, *, ttl: AnyTtl | None = None
    ) -> r.DictionaryIncrementResponse:
        """Add to an integer field, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `field`: The name of the field: at least one byte.

        `amount`: The amount to add, which may be negative or 0.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.
        """
        return drive(self._async.dictionary_increment(name, field, amount, ttl=ttl))

    def dictionary_delete(self, name: Key) -> r.DictionaryDeleteResponse:
        """Delete a dictionary. Succeeds even if it does not exist."""
        return drive(self._async.dictionary_delete(name))

    def dictionary_remove(self, name: Key, fields: Iterable[Key]) -> r.DictionaryDeleteResponse:
        """Remove fields of a dictionary. Succeeds even if they do not exist.

        `fields`: The fields, which need not exist.
        """
        return drive(self._async.dictionary_remove(name, fields))

    def dictionary_length(self, name: Key) -> r.DictionaryLengthResponse:
        """Get the number of fields of a dictionary."""
        return drive(self._async.dictionary_length(name))

    def set_fetch(self, name: Key) -> r.SetFetchResponse:
        """Get all elements of a set, in no particular order."""
        return drive(self._async.set_fetch(name))

    def set_sample(self, name: Key, limit: int) -> r.SetSampleResponse:
        """Get distinct random elements of a set.

        `limit`: The maximum number of elements. If it is 0, the call only checks whether the set exists.
        """
        return drive(self._async.set_sample(name, limit))

    def set_union(self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None) -> r.SetUnionResponse:
        """Add elements to a set, which is created if it does not exist.

        `elements`: The elements. There may be none.

        `ttl`: The time to live of the set, and whether an existing set gets it too. If None, the client's default is
        used, and an existing set gets it too.
        """
        return drive(self._async.set_union(name, elements, ttl=ttl))

    def set_difference(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Remove elements from a set. Succeeds even if they do not exist.

        `elements`: The elements. There may be none.
        """
        return drive(self._async.set_difference(name, elements))

    def set_difference_from(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Replace a set with the given elements that the set does not contain. The client does not retry this call if
        it may have run.

        `elements`: The elements. There may be none.
        """
        return drive(self._async.set_difference_from(name, elements))

    def set_contains(self, name: Key, elements: Iterable[Value]) -> r.SetContainsResponse:
        """Check which elements a set contains.

        `elements`: The elements, in the order of the results.
        """
        return drive(self._async.set_contains(name, elements))

    def set_length(self, name: Key) -> r.SetLengthResponse:
        """Get the number of elements of a set."""
        return drive(self._async.set_length(name))

    def set_pop(self, name: Key, count: int = 1) -> r.SetPopResponse:
        """Remove distinct random elements of a set and return them. The client does not retry this call if it may have
        run.

        `count`: The maximum number of elements: 1 or more.
        """
        return drive(self._async.set_pop(name, count))

    def list_push_front(
        self, name: Key, value: Value, *, truncate_back_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListPushFrontResponse:
        """Add an element at the front of a list, which is created if it does not exist. The client does not retry this
        call if it may have run.

        `truncate_back_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        back. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return drive(self._async.list_push_front(name, value, truncate_back_to_size=truncate_back_to_size, ttl=ttl))

    def list_push_back(
        self, name: Key, value: Value, *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListPushBackResponse:
        """Add an element at the back of a list, which is created if it does not exist. The client does not retry this
        call if it may have run.

        `truncate_front_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        front. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return drive(self._async.list_push_back(name, value, truncate_front_to_size=truncate_front_to_size, ttl=ttl))

    def list_concatenate_front(
        self, name: Key, values: Iterable[Value], *, truncate_back_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListConcatenateFrontResponse:
        """Add elements at the front of a list and keep their order. The client does not retry this call if it may have
        run.

        `values`: The elements, in order. There may be none.

        `truncate_back_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        back. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return drive(
            self._async.list_concatenate_front(name, values, truncate_back_to_size=truncate_back_to_size, ttl=ttl)
        )

    def list_concatenate_back(
        self, name: Key, values: Iterable[Value], *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListConcatenateBackResponse:
        """Add elements at the back of a list and keep their order. The client does not retry this call if it may have
        run.

        `values`: The elements, in order. There may be none.

        `truncate_front_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        front. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return drive(
            self._async.list_concatenate_back(name, values, truncate_front_to_size=truncate_front_to_size, ttl=ttl)
        )

    def list_pop_front(self, name: Key) -> r.ListPopFrontResponse:
        """Remove the first element of a list and return it. The client does not retry this call if it may have run."""
        return drive(self._async.list_pop_front(name))

    def list_pop_back(self, name: Key) -> r.ListPopBackResponse:
        """Remove the last element of a list and return it. The client does not retry this call if it may have run."""
        return drive(self._async.list_pop_back(name))

    def list_fetch(self, name: Key, *, start: int | None = None, end: int | None = None) -> r.ListFetchResponse:
        """Get a slice of a list, in order.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.
        """
        return drive(self._async.list_fetch(name, start=start, end=end))

    def list_retain(
        self, name: Key, *, start: int | None = None, end: int | None = None, ttl: AnyTtl | None = None
    ) -> r.ListRetainResponse:
        """Keep a slice of a list and remove the rest. The client does not retry this call if it may have run.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.

        `ttl`: The new time to live of the list. Ignored if its refresh flag is false. If None, the old one is kept.
        """
        return drive(self._async.list_retain(name, start=start, end=end, ttl=ttl))

    def list_remove(self, name: Key, value: Value) -> r.ListRemoveResponse:
        """Remove every element of a list that equals a value."""
        return drive(self._async.list_remove(name, value))

    def list_erase(self, name: Key, ranges: ListRanges) -> r.ListEraseResponse:
        """Remove ranges of a list. The client does not retry this call if it may have run.

        `ranges`: The ranges, which may overlap. There may be none.
        """
        return drive(self._async.list_erase(name, ranges))

    def list_length(self, name: Key) -> r.ListLengthResponse:
        """Get the number of elements of a list."""
        return drive(self._async.list_length(name))

    def sorted_set_put(
        self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetPutResponse:
        """Add elements to a sorted set, which is created if it does not exist, and replace existing scores. If an
        element occurs twice, its last score wins.

        `elements`: The elements with their scores, in this order. There may be none.

        `ttl`: The time to live of the sorted set, and whether an existing sorted set gets it too. If None, the client's
        default is used, and an existing sorted set gets it too.
        """
        return drive(self._async.sorted_set_put(name, elements, ttl=ttl))

    def sorted_set_fetch_by_rank(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        start: int | None = None,
        end: int | None = None,
    ) -> r.SortedSetFetchResponse:
        """Get the elements of a sorted set from one index to another, with scores, in the requested order.

        `order`: The order in which elements are counted and returned.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.
        """
        return drive(self._async.sorted_set_fetch_by_rank(name, order=order, start=start, end=end))

    def sorted_set_fetch_by_score(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        min: AnyBound | None = None,
        max: AnyBound | None = None,
        offset: int = 0,
        count: int = -1,
    ) -> r.SortedSetFetchResponse:
        """Get the elements of a sorted set whose score is in a range, with scores, in the requested order.

        `order`: The order in which elements are counted and returned.

        `min`: The lowest score, inclusive or exclusive. If None, there is no lower bound.

        `max`: The highest score, inclusive or exclusive. If None, there is no upper bound.

        `offset`: The number of elements to skip first, in the requested order.

        `count`: The maximum number of elements; unlimited if negative.
        """
        return drive(
            self._async.sorted_set_fetch_by_score(name, order=order, min=min, max=max, offset=offset, count=count)
        )

    def sorted_set_get_score(self, name: Key, elements: Iterable[Value]) -> r.SortedSetGetScoreResponse:
        """Get the scores of elements.

        `elements`: The elements, in the order of the results.
        """
        return drive(self._async.sorted_set_get_score(name, elements))

    def sorted_set_get_rank(
        self, name: Key, element: Value, *, order: SortedSetOrder = SortedSetOrder.ASCENDING
    ) -> r.SortedSetGetRankResponse:
        """Get the rank of an element: the number of elements before it in the requested order.

        `element`: The element.

        `order`: The order in which elements are counted.
        """
        return drive(self._async.sorted_set_get_rank(name, element, order=order))

    def sorted_set_increment(
        self, name: Key, element: Value, amount: float = 1.0, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetIncrementResponse:
        """Add an amount to the score of an element. A missing element is added with the amount as its score. The client
        does not retry this call if it may have run.

        `element`: The element.

        `amount`: The amount to add: finite or infinite, but not NaN.

        `ttl`: The time to live of the sorted set, and whether an existing sorted set gets it too. If None, the client's
        default is used, and an existing sorted set gets it too.
        """
        return drive(self._async.sorted_set_increment(name, element, amount, ttl=ttl))

    def sorted_set_remove(self, name: Key, elements: Iterable[Value]) -> r.SortedSetRemoveResponse:
        """Remove elements of a sorted set. Succeeds even if they do not exist.

        `elements`: The elements, which need not exist.
        """
        return drive(self._async.sorted_set_remove(name, elements))

    def sorted_set_length(self, name: Key) -> r.SortedSetLengthResponse:
        """Get the number of elements of a sorted set."""
        return drive(self._async.sorted_set_length(name))

    def sorted_set_length_by_score(
        self, name: Key, *, min: AnyBound | None = None, max: AnyBound | None = None
    ) -> r.SortedSetLengthByScoreResponse:
        """Get the number of elements of a sorted set whose score is in a range.

        `min`: The lowest score, inclusive or exclusive. If None, there is no lower bound.

        `max`: The highest score, inclusive or exclusive. If None, there is no upper bound.
        """
        return drive(self._async.sorted_set_length_by_score(name, min=min, max=max))

    def sorted_set_union_store(
        self,
        name: Key,
        sources: SortedSetSources,
        *,
        aggregate: SortedSetAggregate = SortedSetAggregate.SUM,
        ttl: Ttl | None = None,
    ) -> r.SortedSetUnionStoreResponse:
        """Store the union of sorted sets with its own TTL, and replace an existing sorted set. The client does not
        retry this call if it may have run.

        `sources`: The sorted sets to unite, each with its weight. At least one.

        `aggregate`: How the weighted scores of one element in several sources are combined.

        `ttl`: The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If
        None, the client's default is used.
        """
        return drive(self._async.sorted_set_union_store(name, sources, aggregate=aggregate, ttl=ttl))

    def dictionary_set_field(
        self, name: Key, field: Key, value: Value, *, ttl: AnyTtl | None = None
    ) -> r.DictionarySetResponse:
        """Store a field of a dictionary. The dictionary is created if it does not exist."""
        return drive(self._async.dictionary_set_field(name, field, value, ttl=ttl))

    def dictionary_set_fields(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None
    ) -> r.DictionarySetResponse:
        """Store fields of a dictionary. Alias of `dictionary_set`."""
        return drive(self._async.dictionary_set_fields(name, items, ttl=ttl))

    def dictionary_get_field(self, name: Key, field: Key) -> r.DictionaryGetFieldResponse:
        """Get a field of a dictionary. The response is a miss if the field or the dictionary does not exist."""
        return drive(self._async.dictionary_get_field(name, field))

    def dictionary_get_fields(self, name: Key, fields: Iterable[Key]) -> r.DictionaryGetResponse:
        """Get fields of a dictionary in the requested order. Alias of `dictionary_get`."""
        return drive(self._async.dictionary_get_fields(name, fields))

    def dictionary_remove_field(self, name: Key, field: Key) -> r.DictionaryDeleteResponse:
        """Remove a field of a dictionary. Succeeds even if the field does not exist."""
        return drive(self._async.dictionary_remove_field(name, field))

    def dictionary_remove_fields(self, name: Key, fields: Iterable[Key]) -> r.DictionaryDeleteResponse:
        """Remove fields of a dictionary. Alias of `dictionary_remove`."""
        return drive(self._async.dictionary_remove_fields(name, fields))

    def set_add_element(self, name: Key, element: Value, *, ttl: AnyTtl | None = None) -> r.SetUnionResponse:
        """Add an element to a set. The set is created if it does not exist."""
        return drive(self._async.set_add_element(name, element, ttl=ttl))

    def set_add_elements(
        self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None
    ) -> r.SetUnionResponse:
        """Add elements to a set. Alias of `set_union`."""
        return drive(self._async.set_add_elements(name, elements, ttl=ttl))

    def set_remove_element(self, name: Key, element: Value) -> r.SetDifferenceResponse:
        """Remove an element from a set. Succeeds even if the element does not exist."""
        return drive(self._async.set_remove_element(name, element))

    def set_remove_elements(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Remove elements from a set. Alias of `set_difference`."""
        return drive(self._async.set_remove_elements(name, elements))

    def set_contains_element(self, name: Key, element: Value) -> r.SetContainsElementResponse:
        """Check whether an element is in a set. The response is a miss if the set does not exist."""
        return drive(self._async.set_contains_element(name, element))

    def set_contains_elements(self, name: Key, elements: Iterable[Value]) -> r.SetContainsResponse:
        """Check which of several elements are in a set. The results are in the order of `elements`.

        Alias of `set_contains`.
        """
        return drive(self._async.set_contains_elements(name, elements))

    def sorted_set_put_element(
        self, name: Key, element: Value, score: float, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetPutResponse:
        """Add an element to a sorted set, or change the score of an existing one."""
        return drive(self._async.sorted_set_put_element(name, element, score, ttl=ttl))

    def sorted_set_put_elements(
        self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetPutResponse:
        """Add elements to a sorted set. Alias of `sorted_set_put`."""
        return drive(self._async.sorted_set_put_elements(name, elements, ttl=ttl))

    def sorted_set_get_element_score(self, name: Key, element: Value) -> r.SortedSetGetElementScoreResponse:
        """Get the score of an element. The response is a miss if the element or the sorted set does not exist."""
        return drive(self._async.sorted_set_get_element_score(name, element))

    def sorted_set_remove_element(self, name: Key, element: Value) -> r.SortedSetRemoveResponse:
        """Remove an element of a sorted set. Succeeds even if the element does not exist."""
        return drive(self._async.sorted_set_remove_element(name, element))

    def sorted_set_remove_elements(self, name: Key, elements: Iterable[Value]) -> r.SortedSetRemoveResponse:
        """Remove elements of a sorted set. Alias of `sorted_set_remove`."""
        return drive(self._async.sorted_set_remove_elements(name, elements))

    def publish(self, topic: str, value: Value) -> r.PublishResponse:
        """Publish a message to the subscribers of a topic, if any.

        The call is not retried if it may have been executed. A topic stores its newest messages for later subscribers:
        at most 1,000 messages and at most 1 MiB.

        Args:
            topic: The topic's name.
            value: The message, at most 1 MiB. Subscribers receive a str as str and bytes as bytes. A larger message
                fails with LIMIT_EXCEEDED.
        """
        return drive(self._async.publish(topic, value))

    def subscribe(
        self,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> BlockingSubscription:
        """Subscribe to a topic: `for event in cache.subscribe(…)`.

        Each event is an Item, Discontinuity, Heartbeat or Error.

        Args:
            topic: The topic's name.
            resume_at: The number of the first message to receive, for example the number of the last received message
                plus 1.
            page: The page that `resume_at` belongs to. 0 accepts any page.
            start: Where to start if `resume_at` is 0: with the newest stored message (the default), or with the next
                message.
            heartbeats: Whether to return the server's heartbeats. While there are no messages, the server sends about
                one heartbeat per second.

        Failures of the server or the network do not raise, nor do invalid argument values. The last event is then an
        Error. A subscription has no deadline.
        """
        return BlockingSubscription(
            self._async.subscribe(topic, resume_at=resume_at, page=page, start=start, heartbeats=heartbeats)
        )


class TypedCache(Unpicklable, Generic[V]):
    """The blocking larder_cache.TypedCache."""

    def __init__(self, asynchronous: typed_cache.TypedCache[V]) -> None:
        """Used by the client; a program calls `client.cache(name)`."""
        self._async = asynchronous

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._async.name

    @property
    def results(self) -> TypedResults[V]:
        """The same methods with response objects as results, for use with `match`."""
        return TypedResults(self._async.results)

    def with_timeout(self, timeout_s: float | None) -> TypedCache[V]:
        """Return a copy whose calls have this deadline, in seconds. See `Cache.with_timeout`."""
        return TypedCache(self._async.with_timeout(timeout_s))

    @overload
    def get(self, key: Key) -> V | None:
        ...

    @overload
    def get(self, key: Key, default: D) -> V | D | None:
        ...

    def get(self, key: Key, default: Any = None) -> Any:
        """Get a value. Returns `default` on a miss, and None if None was stored."""
        return drive(self._async.get(key, default))

    def set(self, key: Key, value: V | None, *, ttl: Ttl | None = None) -> None:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        return drive(self._async.set(key, value, ttl=ttl))

    def get_or_set(
        self,
        key: Key,
        factory: Callable[[], V | None],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key. On a miss run `factory`, store its value and return it. See `Cache.get_or_set`.

        A stored value that cannot be decoded is treated as a miss and is replaced. The function `ttl_of` in `options`
        receives the decoded object.
        """
        return drive(self._async.get_or_set(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[V | None]], V | None],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key, loaded with a lease and a factory that receives a FactoryContext.

        See `Cache.get_or_set_with_context`. The context contains the stale value as a decoded object.
        """
        return drive(self._async.get_or_set_with_context(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Sequence[V | None]], *, ttl: Ttl | None = None
    ) -> dict[K, V | None]:
        """Return the values by key. One call of `factory` loads the missing values. See `Cache.get_or_set_batch`."""
        return drive(self._async.get_or_set_batch(keys, made_by(factory), ttl=ttl))

    def get_batch(self, keys: Iterable[K]) -> dict[K, V | None]:
        """Get many values in one call.

        Returns the existing values by key, with the keys in the form in which the caller passed them.
        """
        return drive(self._async.get_batch(keys))

    def set_batch(
        self,
        items: Mapping[str, V | None] | Mapping[bytes, V | None] | Iterable[TypedItem[V]],
        *,
        ttl: Ttl | None = None,
    ) -> None:
        """Store many values in one call.

        Args:
            items: A mapping, or (key, value) or (key, value, ttl) tuples.
            ttl: The time to live of the items that have no time to live of their own. None selects the client's
                default.
        """
        return drive(self._async.set_batch(items, ttl=ttl))


class TypedResults(Unpicklable, Generic[V]):
    """The blocking larder_cache.TypedResults."""

    def __init__(self, asynchronous: typed_results.TypedResults[V]) -> None:
        """Used by the client; a program calls `client.cache(name)`."""
        self._async = asynchronous

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._async.name

    def with_timeout(self, timeout_s: float | None) -> TypedResults[V]:
        """Return a copy whose calls have this deadline, in seconds. See `Cache.with_timeout`."""
        return TypedResults(self._async.with_timeout(timeout_s))

    def get(self, key: Key) -> TypedHit[V] | r.Miss | r.Error:
        """Get a value. Returns a TypedHit or a Miss."""
        return drive(self._async.get(key))

    def set(self, key: Key, value: V | None, *, ttl: Ttl | None = None) -> r.SetResponse:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        return drive(self._async.set(key, value, ttl=ttl))

    def get_or_set(
        self,
        key: Key,
        factory: Callable[[], V | None],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key. On a miss run `factory`, store its value and return it.

        See `TypedCache.get_or_set`.
        """
        return drive(self._async.get_or_set(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[V | None]], V | None],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key, loaded with a lease and a factory that receives a FactoryContext.

        See `TypedCache.get_or_set_with_context`.
        """
        return drive(self._async.get_or_set_with_context(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Sequence[V | None]], *, ttl: Ttl | None = None
    ) -> list[V | None]:
        """Return the values in the order of the keys. `factory` loads the missing values.

        See `Cache.get_or_set_batch`.
        """
        return drive(self._async.get_or_set_batch(keys, made_by(factory), ttl=ttl))

    def get_batch(self, keys: Iterable[Key]) -> TypedGetBatchSuccess[V] | r.Error:
        """Get many values in one call, in the order of the keys.

        The response for a value that cannot be decoded is an Error.
        """
        return drive(self._async.get_batch(keys))

    def set_batch(
        self,
        items: Mapping[str, V | None] | Mapping[bytes, V | None] | Iterable[TypedItem[V]],
        *,
        ttl: Ttl | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call.

        Args:
            items: A mapping, or (key, value) or (key, value, ttl) tuples.
            ttl: The time to live of the items that have no time to live of their own. None selects the client's
                default.
        """
        return drive(self._async.set_batch(items, ttl=ttl))
