"""The blocking client, for scripts and threads: each call waits in its own thread.

Written by tools/python-sync from client.py; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Self, TypeVar

from larder_cache import client
from larder_cache import responses as r
from larder_cache._internal.blocking._generated.sync_caches import BoundCache, PlainCache
from larder_cache._internal.blocking._generated.sync_elements import ClientElements
from larder_cache._internal.blocking._generated.sync_topics import ClientTopics
from larder_cache._internal.blocking._generated.sync_typed_cache import TypedCache
from larder_cache._internal.blocking.background_loop import drive, made_by
from larder_cache._internal.blocking.blocking_calls import BlockingCalls
from larder_cache._internal.blocking.blocking_subscription import BlockingSubscription as TopicSubscription
from larder_cache._internal.client.calls import CallsMaker
from larder_cache._internal.codecs.codec import Codec
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.operations.arguments import BatchItem, Key, Value
from larder_cache._internal.telemetry.statistics import ClientStatistics, NearCacheStatistics
from larder_cache._internal.telemetry.telemetry import Metrics
from larder_cache._internal.telemetry.tracing import Tracing
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

__all__ = ["BoundCache", "CacheClient", "PlainCache", "TopicSubscription", "TypedCache"]

K = TypeVar("K", str, bytes)
V = TypeVar("V")


class CacheClient(Unpicklable, ClientElements, ClientTopics):
    """larder_cache.CacheClient, blocking. Use it as `with`, or call `close()`."""

    def __init__(
        self,
        credentials: CredentialProvider | str | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        metrics: Metrics | None = None,
        tracing: Tracing | None = None,
        calls: CallsMaker = BlockingCalls,
    ) -> None:
        """As larder_cache.CacheClient. `calls`: whose coroutines end at the first `send`."""
        self._async = client.CacheClient(
            credentials,
            default_ttl=default_ttl,
            configuration=configuration,
            metrics=metrics,
            tracing=tracing,
            calls=calls,
        )

    def __enter__(self) -> Self:
        drive(self._async.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the calls in flight with CANCELLED, subscriptions, and close the connections."""
        drive(self._async.aclose())

    def cache(self, name: str) -> BoundCache:
        """Return a handle on one cache: these calls, without the cache's name in each."""
        return BoundCache(self._async.cache(name))

    def plain(self, name: str) -> PlainCache:
        """Return a handle on one cache with Python's short names: plain values, and exceptions for errors."""
        return PlainCache(self._async.plain(name))

    def typed(
        self,
        name: str,
        codec: Codec[V],
        *,
        compress_above: int | None = None,
        max_decoded_bytes: int = MOST_DECODED_BYTES,
    ) -> TypedCache[V]:
        """Return a handle on one cache whose values are of a type: larder_cache.CacheClient.typed."""
        made = self._async.typed(name, codec, compress_above=compress_above, max_decoded_bytes=max_decoded_bytes)
        return TypedCache(made)

    @property
    def configuration(self) -> Configuration:
        """The settings in effect."""
        return self._async.configuration

    def statistics(self) -> ClientStatistics:
        """What the client holds now."""
        return self._async.statistics()

    @property
    def near_cache(self) -> NearCacheStatistics | None:
        """What the near cache has done and holds; None: the configuration has none."""
        return self._async.near_cache

    def try_get_near(self, cache: str, key: Key) -> bytes | None:
        """The value of the near cache's copy, without a call; None: there is none that may be served now.

        From any thread, of an event loop too. TypeError where an argument is no name or key at all.
        """
        return self._async.try_get_near(cache, key)

    def held(self) -> dict[str, int]:
        """What must be nothing once every call has ended, by name."""
        return self._async.held()

    def connect(self, *, timeout_s: float | None = None) -> bool:
        """Connect before the first call. False: not within the time (`connect_timeout_s`); calls will go on trying."""
        return drive(self._async.connect(timeout_s=timeout_s))

    def get(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetResponse:
        """Get a value: Hit, or Miss."""
        return drive(self._async.get(cache, key, timeout_s=timeout_s))

    def set(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetResponse:
        """Store a value for `ttl` (the default time to live where left out)."""
        return drive(self._async.set(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def get_or_set(
        self,
        cache: str,
        key: Key,
        factory: Callable[[], Value],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """The value; where missing, what `factory` returns, stored for the next. One call of it per key at a time.

        Callers that ask meanwhile, by any handle of this client, wait for that call, and get its value or its
        exception. A cache that cannot be reached is no reason to fail: the factory's value is returned all the same,
        and was not stored. CacheError where an argument's value cannot be right. `options`: one call of it for all
        processes, values served while and where a load does not end well, tags.
        """
        return drive(self._async.get_or_set(cache, key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_batch(
        self, cache: str, keys: Iterable[K], factory: Callable[[list[K]], Sequence[Value]], *, ttl: Ttl | None = None
    ) -> list[bytes]:
        """The value of each key, in the keys' order; what is missing is made by one call of `factory`, and stored.

        `factory`: given the keys that are missing, each once, it returns a value for each; ValueError where it returns
        another number. One call reads and one stores; other callers that miss the same keys make them too. A cache that
        cannot be reached is no reason to fail, as for `get_or_set`, and CacheError is for what cannot be right.
        """
        return drive(self._async.get_or_set_batch(cache, keys, made_by(factory), ttl=ttl))

    def get_batch(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order.

        A batch over 11,010,048 bytes is sent in parts, within the one deadline; the keys of a part that failed are
        answered with its error, where another part did not fail.
        """
        return drive(self._async.get_batch(cache, keys, timeout_s=timeout_s))

    def set_batch(
        self,
        cache: str,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call: a mapping, or (key, value) or (key, value, ttl) tuples.

        A batch over 11,010,048 bytes is sent in parts, within the one deadline: an Error is then the first part's that
        failed, and the others were stored.
        """
        return drive(self._async.set_batch(cache, items, ttl=ttl, timeout_s=timeout_s))

    def keys_exist(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order. Over 11,010,048 bytes: as `set_batch`."""
        return drive(self._async.keys_exist(cache, keys, timeout_s=timeout_s))

    def key_exists(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        return drive(self._async.key_exists(cache, key, timeout_s=timeout_s))

    def delete_each(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> list[r.DeleteResponse]:
        """Remove many items at once: an answer for each key, in order. A refused key refuses all."""
        return drive(self._async.delete_each(cache, keys, timeout_s=timeout_s))

    def scan_keys(
        self,
        cache: str,
        prefix: Key = b"",
        *,
        type: r.ItemType | None = None,
        cursor: bytes = b"",
        count: int = 0,
        timeout_s: float | None = None,
    ) -> r.ScanKeysResponse:
        """Ask for a page of a cache's keys. Call it again with the page's cursor until that is empty.

        Every key that is there from the first page to the last is on one of them at least. `prefix`: what the keys
        begin with. `type`: what the items hold; None: anything. `count`: keys of a page, about; 0: the server's
        default, 100; a server has a most of its own, 4,096.

        INVALID_ARGUMENT for a cursor that is not of this cache, or of the server before a restart, and
        FAILED_PRECONDITION where a fleet's slots moved: begin again, without a cursor. UNKNOWN from a server that has
        no such call, as those of the public protocol alone.
        """
        return drive(self._async.scan_keys(cache, prefix, type=type, cursor=cursor, count=count, timeout_s=timeout_s))

    def scan_items(
        self, cache: str, name: Key, *, cursor: bytes = b"", count: int = 0, timeout_s: float | None = None
    ) -> r.ScanItemsResponse:
        """Ask for a page of what a collection holds. Call it again with the page's cursor until that is empty.

        The page is a DictionaryPage, SetPage, ListPage or SortedSetPage, as its `type` says. Miss: there is no such
        key, or it went between two pages. Every element that is there from the first page to the last is on one of
        them at least. `count`: fields or elements of a page, about; 0: the server's default, 100; a server has a most
        of its own, 4,096.

        FAILED_PRECONDITION for a scalar, and where the collection's type has changed or a fleet's masters have;
        INVALID_ARGUMENT for a cursor that is not of this key, or of the server before a restart: begin again, without a
        cursor. UNKNOWN from a server that has no such call, as those of the public protocol alone.
        """
        return drive(self._async.scan_items(cache, name, cursor=cursor, count=count, timeout_s=timeout_s))

    def set_with_tags(
        self,
        cache: str,
        key: Key,
        value: Value,
        tags: Iterable[Key],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetResponse:
        """Store a value with tags, whatever is there, by which `remove_by_tag` removes it.

        `tags`: 1 to 128, each of 1 to 1,024 bytes. UNKNOWN from a server that has no tags; nothing is stored then.
        """
        return drive(self._async.set_with_tags(cache, key, value, tags, ttl=ttl, timeout_s=timeout_s))

    def remove_by_tag(
        self, cache: str, tags: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.RemoveByTagResponse:
        """Make a miss of every item that has one of the tags, at the price of one call, however many there are.

        `tags`: 1 to 128, each of 1 to 1,024 bytes. Near copies of the cache are dropped. UNKNOWN from a server that has
        no tags.
        """
        return drive(self._async.remove_by_tag(cache, tags, timeout_s=timeout_s))

    def delete(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Removes an item; it need not exist."""
        return drive(self._async.delete(cache, key, timeout_s=timeout_s))

    def increment(
        self,
        cache: str,
        key: Key,
        amount: int = 1,
        *,
        ttl: Ttl | None = None,
        keep_ttl: bool = False,
        timeout_s: float | None = None,
    ) -> r.IncrementResponse:
        """Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run.

        `amount`: What is added; may be negative.

        `keep_ttl`: Whether an item that is there keeps the time it has left; `ttl` is then for a new one. Default: each
        increment refreshes it.
        """
        return drive(self._async.increment(cache, key, amount, ttl=ttl, keep_ttl=keep_ttl, timeout_s=timeout_s))

    def item_get_ttl(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """Asks how long an item will live."""
        return drive(self._async.item_get_ttl(cache, key, timeout_s=timeout_s))

    def item_get_type(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """Asks what an item holds."""
        return drive(self._async.item_get_type(cache, key, timeout_s=timeout_s))

    def get_with_hash(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return drive(self._async.get_with_hash(cache, key, timeout_s=timeout_s))

    def update_ttl(self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live, whatever is left."""
        return drive(self._async.update_ttl(cache, key, ttl, timeout_s=timeout_s))

    def increase_ttl(self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is longer than what is left."""
        return drive(self._async.increase_ttl(cache, key, ttl, timeout_s=timeout_s))

    def decrease_ttl(self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is shorter than what is left."""
        return drive(self._async.decrease_ttl(cache, key, ttl, timeout_s=timeout_s))

    def update_ttl_if_prefix(
        self, cache: str, key: Key, prefix: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.UpdateTtlIfPrefixResponse:
        """Gives an item a new time to live if its value begins with `prefix`; otherwise returns what the value begins
        with.
        """
        return drive(self._async.update_ttl_if_prefix(cache, key, prefix, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing."""
        return drive(self._async.set_if_absent(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def set_if_present(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there."""
        return drive(self._async.set_if_present(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def set_if_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Stores where the key holds exactly `equal`."""
        return drive(self._async.set_if_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_not_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Stores where the key does not hold exactly `equal`; a missing key stores."""
        return drive(self._async.set_if_not_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_not_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Stores where the key is there and holds something else."""
        return drive(self._async.set_if_present_and_not_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent_or_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Stores where the key is missing or holds exactly `equal`."""
        return drive(self._async.set_if_absent_or_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key's value has the hash."""
        return drive(self._async.set_if_present_and_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is there and its value has another hash."""
        return drive(
            self._async.set_if_present_and_not_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s)
        )

    def set_if_absent_or_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has the hash."""
        return drive(self._async.set_if_absent_or_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent_or_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has another hash."""
        return drive(self._async.set_if_absent_or_not_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_with_hash(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores whatever is there, and answers the value's hash."""
        return drive(self._async.set_with_hash(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def create_cache(self, cache: str, *, timeout_s: float | None = None) -> r.CreateCacheResponse:
        """Makes a cache. ALREADY_EXISTS where it is there."""
        return drive(self._async.create_cache(cache, timeout_s=timeout_s))

    def delete_cache(self, cache: str, *, timeout_s: float | None = None) -> r.DeleteCacheResponse:
        """Drops a cache with its items. NOT_FOUND where it is not there."""
        return drive(self._async.delete_cache(cache, timeout_s=timeout_s))

    def flush_cache(self, cache: str, *, timeout_s: float | None = None) -> r.FlushCacheResponse:
        """Empties a cache. NOT_FOUND where it is not there."""
        return drive(self._async.flush_cache(cache, timeout_s=timeout_s))

    def list_caches(self, *, timeout_s: float | None = None) -> r.ListCachesResponse:
        """Lists the caches and their limits."""
        return drive(self._async.list_caches(timeout_s=timeout_s))

    def ping(self, *, timeout_s: float | None = None) -> r.PingResponse:
        """Asks the server for an answer, and nothing else."""
        return drive(self._async.ping(timeout_s=timeout_s))
