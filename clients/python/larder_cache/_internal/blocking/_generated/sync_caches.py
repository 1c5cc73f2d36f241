"""The blocking handles on one cache.

Written by tools/python-sync from bound_cache.py and plain_cache.py; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

from larder_cache import bound_cache, plain_cache
from larder_cache import responses as r
from larder_cache._internal.blocking._generated.sync_elements import BoundElements
from larder_cache._internal.blocking._generated.sync_topics import BoundTopics
from larder_cache._internal.blocking.background_loop import drive, made_by
from larder_cache._internal.operations.arguments import BatchItem, Key, Value
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

D = TypeVar("D")
K = TypeVar("K", str, bytes)


class BoundCache(BoundElements, BoundTopics):
    """larder_cache.BoundCache, blocking; made by `client.cache(name)`."""

    def __init__(self, cache: bound_cache.BoundCache) -> None:
        self._async = cache
        self.name = cache.name

    def try_get_near(self, key: Key) -> bytes | None:
        """The value of the near cache's copy, without a call: CacheClient.try_get_near."""
        return self._async.try_get_near(key)

    def get_or_set(
        self, key: Key, factory: Callable[[], Value], *, ttl: Ttl | None = None, options: GetOrSetOptions | None = None
    ) -> bytes:
        """The value, or what `factory` returns: CacheClient.get_or_set."""
        return drive(self._async.get_or_set(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Sequence[Value]], *, ttl: Ttl | None = None
    ) -> list[bytes]:
        """The value of each key, or what `factory` makes of those missing: CacheClient.get_or_set_batch."""
        return drive(self._async.get_or_set_batch(keys, made_by(factory), ttl=ttl))

    def get_batch(self, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order."""
        return drive(self._async.get_batch(keys, timeout_s=timeout_s))

    def set_batch(
        self,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call: a mapping, or (key, value) or (key, value, ttl) tuples."""
        return drive(self._async.set_batch(items, ttl=ttl, timeout_s=timeout_s))

    def keys_exist(self, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order."""
        return drive(self._async.keys_exist(keys, timeout_s=timeout_s))

    def key_exists(self, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        return drive(self._async.key_exists(key, timeout_s=timeout_s))

    def delete_each(self, keys: Iterable[Key], *, timeout_s: float | None = None) -> list[r.DeleteResponse]:
        """Remove many items at once: an answer for each key, in order."""
        return drive(self._async.delete_each(keys, timeout_s=timeout_s))

    def scan_keys(
        self,
        prefix: Key = b"",
        *,
        type: r.ItemType | None = None,
        cursor: bytes = b"",
        count: int = 0,
        timeout_s: float | None = None,
    ) -> r.ScanKeysResponse:
        """Ask for a page of the cache's keys: CacheClient.scan_keys."""
        return drive(self._async.scan_keys(prefix, type=type, cursor=cursor, count=count, timeout_s=timeout_s))

    def scan_items(
        self, name: Key, *, cursor: bytes = b"", count: int = 0, timeout_s: float | None = None
    ) -> r.ScanItemsResponse:
        """Ask for a page of what a collection holds: CacheClient.scan_items."""
        return drive(self._async.scan_items(name, cursor=cursor, count=count, timeout_s=timeout_s))

    def set_with_tags(
        self, key: Key, value: Value, tags: Iterable[Key], *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetResponse:
        """Store a value with tags: CacheClient.set_with_tags."""
        return drive(self._async.set_with_tags(key, value, tags, ttl=ttl, timeout_s=timeout_s))

    def remove_by_tag(self, tags: Iterable[Key], *, timeout_s: float | None = None) -> r.RemoveByTagResponse:
        """Make a miss of every item that has one of the tags: CacheClient.remove_by_tag."""
        return drive(self._async.remove_by_tag(tags, timeout_s=timeout_s))

    def flush(self, *, timeout_s: float | None = None) -> r.FlushCacheResponse:
        """Empties the cache: every user's items."""
        return drive(self._async.flush(timeout_s=timeout_s))

    def get(self, key: Key, *, timeout_s: float | None = None) -> r.GetResponse:
        """Gets an item's value."""
        return drive(self._async.get(key, timeout_s=timeout_s))

    def set(self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None) -> r.SetResponse:
        """Stores a value, whatever was there."""
        return drive(self._async.set(key, value, ttl=ttl, timeout_s=timeout_s))

    def delete(self, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Removes an item; it need not exist."""
        return drive(self._async.delete(key, timeout_s=timeout_s))

    def increment(
        self,
        key: Key,
        amount: int = 1,
        *,
        ttl: Ttl | None = None,
        keep_ttl: bool = False,
        timeout_s: float | None = None,
    ) -> r.IncrementResponse:
        """Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run."""
        return drive(self._async.increment(key, amount, ttl=ttl, keep_ttl=keep_ttl, timeout_s=timeout_s))

    def item_get_ttl(self, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """Asks how long an item will live."""
        return drive(self._async.item_get_ttl(key, timeout_s=timeout_s))

    def item_get_type(self, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """Asks what an item holds."""
        return drive(self._async.item_get_type(key, timeout_s=timeout_s))

    def get_with_hash(self, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return drive(self._async.get_with_hash(key, timeout_s=timeout_s))

    def update_ttl(self, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live, whatever is left."""
        return drive(self._async.update_ttl(key, ttl, timeout_s=timeout_s))

    def increase_ttl(self, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is longer than what is left."""
        return drive(self._async.increase_ttl(key, ttl, timeout_s=timeout_s))

    def decrease_ttl(self, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is shorter than what is left."""
        return drive(self._async.decrease_ttl(key, ttl, timeout_s=timeout_s))

    def update_ttl_if_prefix(
        self, key: Key, prefix: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.UpdateTtlIfPrefixResponse:
        """Gives an item a new time to live if its value begins with `prefix`; otherwise returns what the value begins
        with.
        """
        return drive(self._async.update_ttl_if_prefix(key, prefix, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent(
        self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing."""
        return drive(self._async.set_if_absent(key, value, ttl=ttl, timeout_s=timeout_s))

    def set_if_present(
        self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there."""
        return drive(self._async.set_if_present(key, value, ttl=ttl, timeout_s=timeout_s))

    def set_if_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key holds exactly `equal`."""
        return drive(self._async.set_if_equal(key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key does not hold exactly `equal`; a missing key stores."""
        return drive(self._async.set_if_not_equal(key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there and holds something else."""
        return drive(self._async.set_if_present_and_not_equal(key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent_or_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing or holds exactly `equal`."""
        return drive(self._async.set_if_absent_or_equal(key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key's value has the hash."""
        return drive(self._async.set_if_present_and_hash_equal(key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is there and its value has another hash."""
        return drive(self._async.set_if_present_and_not_hash_equal(key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has the hash."""
        return drive(self._async.set_if_absent_or_hash_equal(key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has another hash."""
        return drive(self._async.set_if_absent_or_not_hash_equal(key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_with_hash(
        self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores whatever is there, and answers the value's hash."""
        return drive(self._async.set_with_hash(key, value, ttl=ttl, timeout_s=timeout_s))


class PlainCache:
    """larder_cache.PlainCache, blocking; made by `client.plain(name)`."""

    def __init__(self, cache: plain_cache.PlainCache) -> None:
        self._async = cache
        self.name = cache.name

    @property
    def asynchronous(self) -> plain_cache.PlainCache:
        """The same cache; its coroutines are for `background_loop.drive` alone."""
        return self._async

    @overload
    def get(self, key: Key) -> bytes | None:
        ...

    @overload
    def get(self, key: Key, default: D) -> bytes | D:
        ...

    def get(self, key: Key, default: Any = None) -> Any:
        """The value, or `default` where the key is missing."""
        return drive(self._async.get(key, default))

    def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> None:
        """Store a value."""
        return drive(self._async.set(key, value, ttl=ttl))

    def add(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store a value where the key is missing. Whether it was stored."""
        return drive(self._async.add(key, value, ttl=ttl))

    def delete(self, key: Key) -> None:
        """Remove an item, if it is there."""
        return drive(self._async.delete(key))

    def exists(self, key: Key) -> bool:
        """Whether the key is there."""
        return drive(self._async.exists(key))

    def incr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Add to a counter and return it; a missing one starts at 0. `keep_ttl`: one that is there keeps its time."""
        return drive(self._async.incr(key, amount, ttl=ttl, keep_ttl=keep_ttl))

    def decr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Subtract from a counter and return it. `keep_ttl`: as `incr`."""
        return drive(self._async.decr(key, amount, ttl=ttl, keep_ttl=keep_ttl))

    def touch(self, key: Key, ttl: Ttl) -> bool:
        """Give an item another time to live. Whether it was there."""
        return drive(self._async.touch(key, ttl))

    def ttl(self, key: Key) -> float | None:
        """The seconds an item has left; None where it is missing."""
        return drive(self._async.ttl(key))

    def get_many(self, keys: Iterable[K]) -> dict[K, bytes]:
        """The values of the keys that are there."""
        return drive(self._async.get_many(keys))

    def set_many(self, items: Mapping[K, Value], *, ttl: Ttl | None = None) -> None:
        """Store many values in one call."""
        return drive(self._async.set_many(items, ttl=ttl))

    def delete_many(self, keys: Iterable[Key]) -> None:
        """Remove many items. Raises the first error, after every key was tried."""
        return drive(self._async.delete_many(keys))

    def get_or_set(
        self, key: Key, factory: Callable[[], Value], *, ttl: Ttl | None = None, options: GetOrSetOptions | None = None
    ) -> bytes:
        """The value, or what `factory` returns, stored: one factory call per key at a time, which all others wait for.

        A cache that cannot be reached is no reason to fail: the factory's value is then not stored.
        """
        return drive(self._async.get_or_set(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_many(
        self, keys: Iterable[K], factory: Callable[[list[K]], Sequence[Value]], *, ttl: Ttl | None = None
    ) -> dict[K, bytes]:
        """The values of the keys; those that are missing are made by one call of `factory`, given them, and stored.

        It returns a value for each, in their order; ValueError where it returns another number.
        """
        return drive(self._async.get_or_set_many(keys, made_by(factory), ttl=ttl))

    def clear(self) -> None:
        """Empty the cache: every user's items."""
        return drive(self._async.clear())
