"""One cache by its handle: the client's calls with the cache's name bound."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from larder_cache import responses as r
from larder_cache._internal.client.topics import BoundTopics
from larder_cache._internal.collections.elements import BoundElements
from larder_cache._internal.operations.arguments import BatchItem, Key, Value
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient

K = TypeVar("K", str, bytes)


class BoundCache(BoundElements, BoundTopics):
    """Made by `client.cache(name)`. Its calls answer what the client's own do, and raise no more than they."""

    def __init__(self, client: CacheClient, name: str) -> None:
        self.client = client
        self.name = name

    def try_get_near(self, key: Key) -> bytes | None:
        """The value of the near cache's copy, at once and without a call: CacheClient.try_get_near."""
        return self.client.try_get_near(self.name, key)

    async def get_or_set(
        self,
        key: Key,
        factory: Callable[[], Awaitable[Value]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """The value, or what `factory` returns: CacheClient.get_or_set."""
        return await self.client.get_or_set(self.name, key, factory, ttl=ttl, options=options)

    async def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Awaitable[Sequence[Value]]], *, ttl: Ttl | None = None
    ) -> list[bytes]:
        """The value of each key, or what `factory` makes of those missing: CacheClient.get_or_set_batch."""
        return await self.client.get_or_set_batch(self.name, keys, factory, ttl=ttl)

    async def get_batch(self, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order."""
        return await self.client.get_batch(self.name, keys, timeout_s=timeout_s)

    async def set_batch(
        self,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call: a mapping, or (key, value) or (key, value, ttl) tuples."""
        return await self.client.set_batch(self.name, items, ttl=ttl, timeout_s=timeout_s)

    async def keys_exist(self, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order."""
        return await self.client.keys_exist(self.name, keys, timeout_s=timeout_s)

    async def key_exists(self, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        return await self.client.key_exists(self.name, key, timeout_s=timeout_s)

    async def delete_each(self, keys: Iterable[Key], *, timeout_s: float | None = None) -> list[r.DeleteResponse]:
        """Remove many items at once: an answer for each key, in order."""
        return await self.client.delete_each(self.name, keys, timeout_s=timeout_s)

    async def scan_keys(
        self,
        prefix: Key = b"",
        *,
        type: r.ItemType | None = None,
        cursor: bytes = b"",
        count: int = 0,
        timeout_s: float | None = None,
    ) -> r.ScanKeysResponse:
        """Ask for a page of the cache's keys: CacheClient.scan_keys."""
        return await self.client.scan_keys(
            self.name, prefix, type=type, cursor=cursor, count=count, timeout_s=timeout_s
        )

    async def scan_items(
        self, name: Key, *, cursor: bytes = b"", count: int = 0, timeout_s: float | None = None
    ) -> r.ScanItemsResponse:
        """Ask for a page of what a collection holds: CacheClient.scan_items."""
        return await self.client.scan_items(self.name, name, cursor=cursor, count=count, timeout_s=timeout_s)

    async def set_with_tags(
        self,
        key: Key,
        value: Value,
        tags: Iterable[Key],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetResponse:
        """Store a value with tags: CacheClient.set_with_tags."""
        return await self.client.set_with_tags(self.name, key, value, tags, ttl=ttl, timeout_s=timeout_s)

    async def remove_by_tag(self, tags: Iterable[Key], *, timeout_s: float | None = None) -> r.RemoveByTagResponse:
        """Make a miss of every item that has one of the tags: CacheClient.remove_by_tag."""
        return await self.client.remove_by_tag(self.name, tags, timeout_s=timeout_s)

    async def flush(self, *, timeout_s: float | None = None) -> r.FlushCacheResponse:
        """Empties the cache: every user's items."""
        return await self.client.flush_cache(self.name, timeout_s=timeout_s)

    # operations: bound_cache (tools/operations writes them from operations.toml)

    async def get(self, key: Key, *, timeout_s: float | None = None) -> r.GetResponse:
        """Gets an item's value."""
        return await self.client.get(self.name, key, timeout_s=timeout_s)

    async def set(
        self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetResponse:
        """Stores a value, whatever was there."""
        return await self.client.set(self.name, key, value, ttl=ttl, timeout_s=timeout_s)

    async def delete(self, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Removes an item; it need not exist."""
        return await self.client.delete(self.name, key, timeout_s=timeout_s)

    async def increment(
        self,
        key: Key,
        amount: int = 1,
        *,
        ttl: Ttl | None = None,
        keep_ttl: bool = False,
        timeout_s: float | None = None,
    ) -> r.IncrementResponse:
        """Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run."""
        return await self.client.increment(self.name, key, amount, ttl=ttl, keep_ttl=keep_ttl, timeout_s=timeout_s)

    async def item_get_ttl(self, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """Asks how long an item will live."""
        return await self.client.item_get_ttl(self.name, key, timeout_s=timeout_s)

    async def item_get_type(self, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """Asks what an item holds."""
        return await self.client.item_get_type(self.name, key, timeout_s=timeout_s)

    async def get_with_hash(self, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return await self.client.get_with_hash(self.name, key, timeout_s=timeout_s)

    async def update_ttl(self, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live, whatever is left."""
        return await self.client.update_ttl(self.name, key, ttl, timeout_s=timeout_s)

    async def increase_ttl(self, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is longer than what is left."""
        return await self.client.increase_ttl(self.name, key, ttl, timeout_s=timeout_s)

    async def decrease_ttl(self, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is shorter than what is left."""
        return await self.client.decrease_ttl(self.name, key, ttl, timeout_s=timeout_s)

    async def update_ttl_if_prefix(
        self, key: Key, prefix: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.UpdateTtlIfPrefixResponse:
        """Gives an item a new time to live if its value begins with `prefix`; otherwise returns what the value begins
        with.
        """
        return await self.client.update_ttl_if_prefix(self.name, key, prefix, ttl=ttl, timeout_s=timeout_s)

    async def set_if_absent(
        self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing."""
        return await self.client.set_if_absent(self.name, key, value, ttl=ttl, timeout_s=timeout_s)

    async def set_if_present(
        self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there."""
        return await self.client.set_if_present(self.name, key, value, ttl=ttl, timeout_s=timeout_s)

    async def set_if_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key holds exactly `equal`."""
        return await self.client.set_if_equal(self.name, key, value, equal, ttl=ttl, timeout_s=timeout_s)

    async def set_if_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key does not hold exactly `equal`; a missing key stores."""
        return await self.client.set_if_not_equal(self.name, key, value, equal, ttl=ttl, timeout_s=timeout_s)

    async def set_if_present_and_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there and holds something else."""
        return await self.client.set_if_present_and_not_equal(
            self.name, key, value, equal, ttl=ttl, timeout_s=timeout_s
        )

    async def set_if_absent_or_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing or holds exactly `equal`."""
        return await self.client.set_if_absent_or_equal(self.name, key, value, equal, ttl=ttl, timeout_s=timeout_s)

    async def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key's value has the hash."""
        return await self.client.set_if_present_and_hash_equal(
            self.name, key, value, hash, ttl=ttl, timeout_s=timeout_s
        )

    async def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is there and its value has another hash."""
        return await self.client.set_if_present_and_not_hash_equal(
            self.name, key, value, hash, ttl=ttl, timeout_s=timeout_s
        )

    async def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has the hash."""
        return await self.client.set_if_absent_or_hash_equal(self.name, key, value, hash, ttl=ttl, timeout_s=timeout_s)

    async def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has another hash."""
        return await self.client.set_if_absent_or_not_hash_equal(
            self.name, key, value, hash, ttl=ttl, timeout_s=timeout_s
        )

    async def set_with_hash(
        self, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores whatever is there, and answers the value's hash."""
        return await self.client.set_with_hash(self.name, key, value, ttl=ttl, timeout_s=timeout_s)

    # operations: end
