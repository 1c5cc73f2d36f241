"""`CacheClient`: every operation, by cache name and key."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from larder_cache import responses as r
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.calls.observers import Observers
from larder_cache._internal.client import batch_parts as parts
from larder_cache._internal.client.calls import CallsMaker, answered, is_coroutine_function
from larder_cache._internal.client.topics import ClientTopics
from larder_cache._internal.codecs.codec import Codec
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES
from larder_cache._internal.collections.elements import ClientElements, of_one
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.leases.cache_aside import get_or_make
from larder_cache._internal.leases.cache_aside_batch import get_or_make_batch
from larder_cache._internal.leases.lasting_errors import LastingErrors
from larder_cache._internal.leases.lease_calls import LeaseCalls
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import BatchItem, Key, Refusal, Value, check_timeout, to_key, to_keys
from larder_cache._internal.telemetry.statistics import ClientStatistics, NearCacheStatistics
from larder_cache._internal.telemetry.telemetry import Metrics
from larder_cache._internal.telemetry.tracing import Tracing
from larder_cache.bound_cache import BoundCache
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.plain_cache import PlainCache
from larder_cache.ttl import Ttl, ttl_to_ms
from larder_cache.typed_cache import TypedCache

K = TypeVar("K", str, bytes)
V = TypeVar("V")


def _provider(credentials: CredentialProvider | str | None) -> CredentialProvider:
    if credentials is None:
        return CredentialProvider.local()
    if isinstance(credentials, str):
        return CredentialProvider.from_string(credentials)
    if isinstance(credentials, CredentialProvider):  # pyright: ignore[reportUnnecessaryIsInstance]
        return credentials
    given = type(credentials).__name__
    raise TypeError(f"credentials must be a URL or a CredentialProvider, not {given}: CredentialProvider.local()")


class CacheClient(Unpicklable, ClientElements, ClientTopics):
    """A client of one server. Use it as `async with`, or call `aclose()`.

    Each event loop, and each forked process, has connections of its own.

    Keys and values are bytes, or text that is sent as UTF-8. Calls answer responses made for `match`, and never raise
    for what a server, a network or an argument's value does; TypeError where an argument is no key or value at all.
    Each takes `timeout_s`: its own deadline in place of the configuration's, over 0 and at most 3,600 seconds.
    """

    def __init__(
        self,
        credentials: CredentialProvider | str | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        metrics: Metrics | None = None,
        tracing: Tracing | None = None,
        calls: CallsMaker = LoopCalls,
    ) -> None:
        """Settings only; nothing connects before the client is entered or first used.

        `credentials`: a provider, or a URL as `CredentialProvider.from_string` takes it. The default is a local server.
        `default_ttl`: for sets that give none; seconds or a timedelta, above 0 and at most 365 days (a server takes 24
        hours unless its --max-ttl says otherwise), else ValueError. `configuration`: the default is
        `Configurations.Laptop`. `metrics`: where each call's durations and outcome go (`OpenTelemetryMetrics`, or your
        own `Metrics`); the default is nowhere. `tracing`: where a span of each call goes (`OpenTelemetryTracing`, or
        your own `Tracing`). `calls`: how calls are run; larder_cache.sync has its own.
        """
        chosen = Configurations.Laptop.latest() if configuration is None else configuration
        if not isinstance(chosen, Configuration):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("configuration is one of Configurations, called: Configurations.Laptop.latest()")
        made = calls(_provider(credentials), chosen, Observers(metrics, tracing))
        super().__init__(made, ttl_to_ms(default_ttl))
        # Of `get_or_set`: loads under way, what is told once, and its calls on a cache's key.
        self.flights = self._calls.flights
        self.lasting_errors = LastingErrors()
        self.lease_calls = functools.partial(LeaseCalls, self._calls)
        self.default_ttl_ms = ttl_to_ms(default_ttl)
        self._near = self._calls.near

    async def __aenter__(self) -> Self:
        if self.configuration.eager_connect and not await self.connect():
            await self.aclose()
            where, most_s = self._calls.credentials.endpoint, self.configuration.connect_timeout_s
            raise CacheError(ErrorCode.UNAVAILABLE, f"no connection to {where} within {most_s:g} s")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def connect(self, *, timeout_s: float | None = None) -> bool:
        """Connect before the first call. False: not within the time (`connect_timeout_s`); calls will go on trying."""
        return await self._calls.connect(self.configuration.connect_timeout_s if timeout_s is None else timeout_s)

    async def aclose(self) -> None:
        """End the calls in flight with CANCELLED, subscriptions, and close the connections. Again: does nothing."""
        await self._calls.aclose()

    @property
    def configuration(self) -> Configuration:
        """The settings in effect."""
        return self._calls.configuration

    def cache(self, name: str) -> BoundCache:
        """Return a handle on one cache: these calls, without the cache's name in each."""
        return BoundCache(self, name)

    def plain(self, name: str) -> PlainCache:
        """Return a handle on one cache with Python's short names: plain values, and exceptions for errors."""
        return PlainCache(self, name)

    def typed(
        self,
        name: str,
        codec: Codec[V],
        *,
        compress_above: int | None = None,
        max_decoded_bytes: int = MOST_DECODED_BYTES,
    ) -> TypedCache[V]:
        """Return a handle on one cache whose values are of a type, as `codec` encodes them (larder_cache.codecs).

        `compress_above`: encoded values of more bytes than this are compressed, where that makes them smaller; None:
        none is. `max_decoded_bytes`: what is longer is neither stored nor read; 8 MiB by default. The
        codec limits the elements and levels of a value.
        """
        return TypedCache(self, name, codec, compress_above, max_decoded_bytes)

    def statistics(self) -> ClientStatistics:
        """What the client holds now."""
        return self._calls.statistics()

    def held(self) -> dict[str, int]:
        """What must be nothing once every call has ended, by name."""
        return self._calls.held()

    @property
    def near_cache(self) -> NearCacheStatistics | None:
        """What the near cache has done and holds; None: the configuration has none."""
        return None if self._near is None else self._near.statistics()

    def try_get_near(self, cache: str, key: Key) -> bytes | None:
        """The value of the near cache's copy, at once and without a call; None: there is none that may be served now.

        From any thread. TypeError where an argument is no name or key at all.
        """
        if self._near is None:
            return None
        try:
            return self._near.find(self._names[cache], to_key(key))
        except Refusal:
            return None  # There is no copy of what no call may name.

    # The two calls that matter most are the runner's coroutine itself, not one around it: one frame less to enter and
    # to wake, and one object less for each caller that waits, which the collector would walk (bench.compare --callers).

    @is_coroutine_function
    def get(self, cache: str, key: Key, *, timeout_s: float | None = None) -> Coroutine[Any, Any, r.GetResponse]:
        """Get a value: Hit, or Miss."""
        try:
            if self._near is not None:
                copy = self._near.find(self._names[cache], to_key(key))
                if copy is not None:
                    if timeout_s is not None:
                        check_timeout(timeout_s)
                    return answered(r.Hit(copy))
            return self._calls.run(op.GET, self._names[cache], self._requests.key(key), timeout_s)
        except Refusal as refusal:
            return answered(refusal.error)

    @is_coroutine_function
    def set(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> Coroutine[Any, Any, r.SetResponse]:
        """Store a value for `ttl` (the default time to live where left out)."""
        try:
            return self._calls.run(op.SET, self._names[cache], self._requests.set(key, value, ttl), timeout_s)
        except Refusal as refusal:
            return answered(refusal.error)

    async def get_or_set(
        self,
        cache: str,
        key: Key,
        factory: Callable[[], Awaitable[Value]],
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
        return await get_or_make(self, cache, key, factory, ttl, options)

    async def get_or_set_batch(
        self,
        cache: str,
        keys: Iterable[K],
        factory: Callable[[list[K]], Awaitable[Sequence[Value]]],
        *,
        ttl: Ttl | None = None,
    ) -> list[bytes]:
        """The value of each key, in the keys' order; what is missing is made by one call of `factory`, and stored.

        `factory`: given the keys that are missing, each once, it returns a value for each; ValueError where it returns
        another number. One call reads and one stores; other callers that miss the same keys make them too. A cache that
        cannot be reached is no reason to fail, as for `get_or_set`, and CacheError is for what cannot be right.
        """
        return await get_or_make_batch(self, cache, keys, factory, ttl)

    async def get_batch(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order.

        A batch over 11,010,048 bytes is sent in parts, within the one deadline; the keys of a part that failed are
        answered with its error, where another part did not fail.
        """
        return parts.values_of(await self._send_parts(op.GET_BATCH, cache, timeout_s, self._requests.gets, keys))

    async def set_batch(
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
        return parts.stored_of(await self._send_parts(op.SET_BATCH, cache, timeout_s, self._requests.sets, items, ttl))

    async def keys_exist(
        self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order. Over 11,010,048 bytes: as `set_batch`."""
        return parts.existing_of(await self._send_parts(op.KEYS_EXIST, cache, timeout_s, to_keys, keys))

    async def key_exists(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        answer = await self.keys_exist(cache, [key], timeout_s=timeout_s)
        return answer if isinstance(answer, r.Error) else of_one(answer.exists, r.Exists)

    async def delete_each(
        self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None
    ) -> list[r.DeleteResponse]:
        """Remove many items at once: an answer for each key, in order. A refused key refuses all."""
        try:
            name, payloads = self._names[cache], self._requests.gets(keys)
        except Refusal as refusal:
            return [refusal.error]
        return await self._calls.run_each(op.DELETE, name, payloads, timeout_s)

    async def scan_keys(
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
        return await self._send(op.SCAN_KEYS, cache, timeout_s, self._requests.scan_keys, prefix, type, cursor, count)

    async def scan_items(
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
        return await self._send(op.SCAN_ITEMS, cache, timeout_s, self._requests.scan_items, name, cursor, count)

    async def set_with_tags(
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
        sent = await self._send(
            op.SET_WITH_LEASE, cache, timeout_s, self._requests.set_with_tags, key, value, tags, ttl
        )
        if isinstance(sent, r.NotStored):
            return r.Error(ErrorCode.INTERNAL, "the server did not store what nothing was to keep from being stored")
        return r.SUCCESS if isinstance(sent, r.Stored) else sent

    async def remove_by_tag(
        self, cache: str, tags: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.RemoveByTagResponse:
        """Make a miss of every item that has one of the tags, at the price of one call, however many there are.

        `tags`: 1 to 128, each of 1 to 1,024 bytes. Near copies of the cache are dropped. UNKNOWN from a server that has
        no tags.
        """
        return await self._send(op.REMOVE_BY_TAG, cache, timeout_s, self._requests.remove_by_tag, tags)

    # operations: client (tools/operations writes them from operations.toml)

    async def delete(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Removes an item; it need not exist."""
        return await self._send(op.DELETE, cache, timeout_s, self._requests.key, key)

    async def increment(
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
        return await self._send(op.INCREMENT, cache, timeout_s, self._requests.increment, key, amount, ttl, keep_ttl)

    async def item_get_ttl(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """Asks how long an item will live."""
        return await self._send(op.ITEM_GET_TTL, cache, timeout_s, self._requests.key, key)

    async def item_get_type(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """Asks what an item holds."""
        return await self._send(op.ITEM_GET_TYPE, cache, timeout_s, self._requests.key, key)

    async def get_with_hash(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return await self._send(op.GET_WITH_HASH, cache, timeout_s, self._requests.key, key)

    async def update_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Gives an item a new time to live, whatever is left."""
        return await self._send(op.UPDATE_TTL, cache, timeout_s, self._requests.update_ttl, 4, key, ttl)

    async def increase_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is longer than what is left."""
        return await self._send(op.UPDATE_TTL, cache, timeout_s, self._requests.update_ttl, 2, key, ttl)

    async def decrease_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is shorter than what is left."""
        return await self._send(op.UPDATE_TTL, cache, timeout_s, self._requests.update_ttl, 3, key, ttl)

    async def update_ttl_if_prefix(
        self, cache: str, key: Key, prefix: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.UpdateTtlIfPrefixResponse:
        """Gives an item a new time to live if its value begins with `prefix`; otherwise returns what the value begins
        with.
        """
        return await self._send(
            op.UPDATE_TTL_IF_PREFIX, cache, timeout_s, self._requests.update_ttl_if_prefix, key, prefix, ttl
        )

    async def set_if_absent(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing."""
        return await self._send(op.SET_IF, cache, timeout_s, self._requests.set_if, 6, key, value, ttl)

    async def set_if_present(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there."""
        return await self._send(op.SET_IF, cache, timeout_s, self._requests.set_if, 4, key, value, ttl)

    async def set_if_equal(
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
        return await self._send(op.SET_IF, cache, timeout_s, self._requests.set_if, 7, key, value, ttl, equal)

    async def set_if_not_equal(
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
        return await self._send(op.SET_IF, cache, timeout_s, self._requests.set_if, 9, key, value, ttl, equal)

    async def set_if_present_and_not_equal(
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
        return await self._send(op.SET_IF, cache, timeout_s, self._requests.set_if, 5, key, value, ttl, equal)

    async def set_if_absent_or_equal(
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
        return await self._send(op.SET_IF, cache, timeout_s, self._requests.set_if, 8, key, value, ttl, equal)

    async def set_if_present_and_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key's value has the hash."""
        return await self._send(op.SET_IF_HASH, cache, timeout_s, self._requests.set_if_hash, 5, key, value, ttl, hash)

    async def set_if_present_and_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is there and its value has another hash."""
        return await self._send(op.SET_IF_HASH, cache, timeout_s, self._requests.set_if_hash, 4, key, value, ttl, hash)

    async def set_if_absent_or_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has the hash."""
        return await self._send(op.SET_IF_HASH, cache, timeout_s, self._requests.set_if_hash, 6, key, value, ttl, hash)

    async def set_if_absent_or_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has another hash."""
        return await self._send(op.SET_IF_HASH, cache, timeout_s, self._requests.set_if_hash, 7, key, value, ttl, hash)

    async def set_with_hash(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores whatever is there, and answers the value's hash."""
        return await self._send(op.SET_IF_HASH, cache, timeout_s, self._requests.set_if_hash, 8, key, value, ttl)

    async def create_cache(self, cache: str, *, timeout_s: float | None = None) -> r.CreateCacheResponse:
        """Makes a cache. ALREADY_EXISTS where it is there."""
        return await self._control(op.CREATE_CACHE, cache, timeout_s)

    async def delete_cache(self, cache: str, *, timeout_s: float | None = None) -> r.DeleteCacheResponse:
        """Drops a cache with its items. NOT_FOUND where it is not there."""
        return await self._control(op.DELETE_CACHE, cache, timeout_s)

    async def flush_cache(self, cache: str, *, timeout_s: float | None = None) -> r.FlushCacheResponse:
        """Empties a cache. NOT_FOUND where it is not there."""
        return await self._control(op.FLUSH_CACHE, cache, timeout_s)

    async def list_caches(self, *, timeout_s: float | None = None) -> r.ListCachesResponse:
        """Lists the caches and their limits."""
        return await self._calls.run(op.LIST_CACHES, "", b"", timeout_s)

    async def ping(self, *, timeout_s: float | None = None) -> r.PingResponse:
        """Asks the server for an answer, and nothing else."""
        return await self._calls.run(op.PING, "", b"", timeout_s)

    # operations: end
