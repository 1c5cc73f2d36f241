"""`CacheResults`: the calls on one cache. They return response objects for `match`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from larder_cache import responses as r
from larder_cache._internal.client import batch_parts as parts
from larder_cache._internal.client.calls import answered, is_coroutine_function
from larder_cache._internal.client.topics import Topics
from larder_cache._internal.collections.elements import Elements, of_one
from larder_cache._internal.leases.cache_aside import get_or_make, without_context
from larder_cache._internal.leases.cache_aside_batch import get_or_make_batch
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import BatchItem, Key, Refusal, Value, to_key, to_keys
from larder_cache.errors import ErrorCode
from larder_cache.factory_context import FactoryContext
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

K = TypeVar("K", str, bytes)


class CacheResults(Elements, Topics):
    """The methods of `Cache`, but with response objects as results: `cache.results`.

    A call returns an Error if the server or the network fails, or if the value of an argument is invalid. It raises
    TypeError if an argument has a wrong type. Only `get_or_set` and `get_or_set_batch` return plain values and raise
    CacheError, as in `Cache`.
    """

    def try_get_near(self, key: Key) -> bytes | None:
        """Return the value of a key from the near cache without calling the server, or None if there is no valid copy.

        Thread-safe. Raises TypeError if the key is not a string or bytes.
        """
        if self._near is None:
            return None
        try:
            return self._near.find(self._name, to_key(key))
        except Refusal:
            return None  # An invalid key has no copy.

    # The two most frequent calls return the runner's coroutine and do not wrap it in their own. That saves one frame at
    # each start and wake-up. It also saves one object per waiting caller that the garbage collector would traverse
    # (bench.compare --callers).

    @is_coroutine_function
    def get(self, key: Key) -> Coroutine[Any, Any, r.GetResponse]:
        """Get a value. Returns a Hit or a Miss."""
        try:
            if self._near is not None:
                copy = self._near.find(self._name, to_key(key))
                if copy is not None:
                    return answered(r.Hit(copy))
            return self.calls.run(op.GET, self._name, self._requests.key(key), self.timeout_s)
        except Refusal as refusal:
            return answered(refusal.error)

    @is_coroutine_function
    def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> Coroutine[Any, Any, r.SetResponse]:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        try:
            return self.calls.run(op.SET, self._name, self._requests.set(key, value, ttl), self.timeout_s)
        except Refusal as refusal:
            return answered(refusal.error)

    async def get_or_set(
        self,
        key: Key,
        factory: Callable[[], Awaitable[Value]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """Return the value of a key. On a miss run `factory`, store its value and return it. See `Cache.get_or_set`."""
        return await get_or_make(self, key, without_context(factory), ttl, options)

    async def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[bytes]], Awaitable[Value]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """Return the value of a key, loaded with a lease and a factory that receives a FactoryContext.

        See `Cache.get_or_set_with_context`.
        """
        return await get_or_make(self, key, factory, ttl, GetOrSetOptions() if options is None else options)

    async def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Awaitable[Sequence[Value]]], *, ttl: Ttl | None = None
    ) -> list[bytes]:
        """Return the values in the order of the keys. `factory` loads the missing values.

        See `Cache.get_or_set_batch`.
        """
        return await get_or_make_batch(self, keys, factory, ttl)

    async def get_batch(self, keys: Iterable[Key]) -> r.GetBatchResponse:
        """Get many values in one call, in the order of the keys.

        A batch of more than 11,010,048 bytes is sent in parts within one deadline. If only some parts fail, each key of
        a failed part gets the Error of its part.
        """
        return parts.values_of(await self._send_parts(op.GET_BATCH, self._requests.gets, keys))

    async def set_batch(
        self,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call.

        Args:
            items: A mapping, or (key, value) or (key, value, ttl) tuples.
            ttl: The time to live of the items that have no time to live of their own. None selects the client's
                default.

        A batch of more than 11,010,048 bytes is sent in parts within one deadline. If parts fail, the error of the
        first failed part is returned. The other parts are stored.
        """
        return parts.stored_of(await self._send_parts(op.SET_BATCH, self._requests.sets, items, ttl))

    async def keys_exist(self, keys: Iterable[Key]) -> r.KeysExistResponse:
        """Check which of the keys exist. The results are in the order of the keys.

        A request of more than 11,010,048 bytes is sent in parts within one deadline, like a batch of `set_batch`.
        """
        return parts.existing_of(await self._send_parts(op.KEYS_EXIST, to_keys, keys))

    async def key_exists(self, key: Key) -> r.KeyExistsResponse:
        """Check whether a key exists."""
        answer = await self.keys_exist([key])
        return answer if isinstance(answer, r.Error) else of_one(answer.exists, r.Exists)

    async def delete_each(self, keys: Iterable[Key]) -> list[r.DeleteResponse]:
        """Remove many items concurrently.

        Returns a response for each key, in order. If one key is invalid, no item is removed and the result is a single
        Error.
        """
        try:
            payloads = self._requests.gets(keys)
        except Refusal as refusal:
            return [refusal.error]
        return await self.calls.run_each(op.DELETE, self._name, payloads, self.timeout_s)

    async def scan_keys(
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
        return await self._send(op.SCAN_KEYS, self._requests.scan_keys, prefix, type, cursor, count)

    async def scan_items(self, name: Key, *, cursor: bytes = b"", count: int = 0) -> r.ScanItemsResponse:
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
        return await self._send(op.SCAN_ITEMS, self._requests.scan_items, name, cursor, count)

    async def set_with_tags(
        self, key: Key, value: Value, tags: Iterable[Key], *, ttl: Ttl | None = None
    ) -> r.SetResponse:
        """Store a value with tags, unconditionally. `remove_by_tag` with any of the tags removes the item.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. If the server does not support tags, the call fails with
        UNKNOWN and nothing is stored.
        """
        sent = await self._send(op.SET_WITH_LEASE, self._requests.set_with_tags, key, value, tags, ttl)
        if isinstance(sent, r.NotStored):
            return r.Error(ErrorCode.INTERNAL, "the server did not store the value of an unconditional set")
        return r.SUCCESS if isinstance(sent, r.Stored) else sent

    async def remove_by_tag(self, tags: Iterable[Key]) -> r.RemoveByTagResponse:
        """Remove every item that has any of the tags.

        This is one call. Its cost does not depend on the number of items.

        There must be 1 to 128 tags, each of 1 to 1,024 bytes. All near-cache copies of the cache are removed. If the
        server does not support tags, the call fails with UNKNOWN.
        """
        return await self._send(op.REMOVE_BY_TAG, self._requests.remove_by_tag, tags)

    # operations: cache_results (tools/operations writes them from operations.toml)

    async def delete(self, key: Key) -> r.DeleteResponse:
        """Delete an item. Succeeds even if the item does not exist."""
        return await self._send(op.DELETE, self._requests.key, key)

    async def increment(
        self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False
    ) -> r.IncrementResponse:
        """Add to an integer item, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `amount`: The amount to add, which may be negative.

        `keep_ttl`: Whether an existing item keeps its remaining TTL; `ttl` then applies only to a new item. By default,
        each increment sets the TTL again.
        """
        return await self._send(op.INCREMENT, self._requests.increment, key, amount, ttl, keep_ttl)

    async def item_get_ttl(self, key: Key) -> r.ItemGetTtlResponse:
        """Get the remaining TTL of an item."""
        return await self._send(op.ITEM_GET_TTL, self._requests.key, key)

    async def item_get_type(self, key: Key) -> r.ItemGetTypeResponse:
        """Get the type of an item."""
        return await self._send(op.ITEM_GET_TYPE, self._requests.key, key)

    async def get_with_hash(self, key: Key) -> r.GetWithHashResponse:
        """Get an item's value and its hash, for a later conditional write that compares the hash."""
        return await self._send(op.GET_WITH_HASH, self._requests.key, key)

    async def update_ttl(self, key: Key, ttl: Ttl) -> r.UpdateTtlResponse:
        """Replace the TTL of an item."""
        return await self._send(op.UPDATE_TTL, self._requests.update_ttl, 4, key, ttl)

    async def increase_ttl(self, key: Key, ttl: Ttl) -> r.UpdateTtlResponse:
        """Replace the TTL of an item if the new TTL is longer than the remaining TTL."""
        return await self._send(op.UPDATE_TTL, self._requests.update_ttl, 2, key, ttl)

    async def decrease_ttl(self, key: Key, ttl: Ttl) -> r.UpdateTtlResponse:
        """Replace the TTL of an item if the new TTL is shorter than the remaining TTL."""
        return await self._send(op.UPDATE_TTL, self._requests.update_ttl, 3, key, ttl)

    async def update_ttl_if_prefix(
        self, key: Key, prefix: Value, *, ttl: Ttl | None = None
    ) -> r.UpdateTtlIfPrefixResponse:
        """Replace the TTL of an item if its value begins with `prefix`. If the value begins differently, the response
        contains its first bytes.
        """
        return await self._send(op.UPDATE_TTL_IF_PREFIX, self._requests.update_ttl_if_prefix, key, prefix, ttl)

    async def set_if_absent(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.SetIfResponse:
        """Store the value if the key does not exist."""
        return await self._send(op.SET_IF, self._requests.set_if, 6, key, value, ttl)

    async def set_if_present(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.SetIfResponse:
        """Store the value if the key exists."""
        return await self._send(op.SET_IF, self._requests.set_if, 4, key, value, ttl)

    async def set_if_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> r.SetIfResponse:
        """Store the value if the current value is exactly `equal`."""
        return await self._send(op.SET_IF, self._requests.set_if, 7, key, value, ttl, equal)

    async def set_if_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.SetIfResponse:
        """Store the value if the key is missing or its value is not exactly `equal`."""
        return await self._send(op.SET_IF, self._requests.set_if, 9, key, value, ttl, equal)

    async def set_if_present_and_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.SetIfResponse:
        """Store the value if the key exists and its value is not exactly `equal`."""
        return await self._send(op.SET_IF, self._requests.set_if, 5, key, value, ttl, equal)

    async def set_if_absent_or_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.SetIfResponse:
        """Store the value if the key is missing or its value is exactly `equal`."""
        return await self._send(op.SET_IF, self._requests.set_if, 8, key, value, ttl, equal)

    async def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the current value has the given hash."""
        return await self._send(op.SET_IF_HASH, self._requests.set_if_hash, 5, key, value, ttl, hash)

    async def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the key exists and its value does not have the given hash."""
        return await self._send(op.SET_IF_HASH, self._requests.set_if_hash, 4, key, value, ttl, hash)

    async def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the key is missing or its value has the given hash."""
        return await self._send(op.SET_IF_HASH, self._requests.set_if_hash, 6, key, value, ttl, hash)

    async def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.SetIfHashResponse:
        """Store the value if the key is missing or its value does not have the given hash."""
        return await self._send(op.SET_IF_HASH, self._requests.set_if_hash, 7, key, value, ttl, hash)

    async def set_with_hash(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.SetIfHashResponse:
        """Store the value unconditionally and return the hash of the value. A correct server never reports that the
        value was not stored.
        """
        return await self._send(op.SET_IF_HASH, self._requests.set_if_hash, 8, key, value, ttl)

    # operations: end
